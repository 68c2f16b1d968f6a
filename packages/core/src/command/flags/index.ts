/** Flags that commands of several packages share. They load nothing else: a command line is described without the engine. */
export { config, fixing, html, json, place, policyFrom, remote, rule, rules, subject } from './common.js';
export { evaluation } from './evaluation.js';
export { failOn, parseThreshold, THRESHOLDS, type Threshold } from './fail-on.js';
export { format, output } from './format.js';
export { withFormats, withIncreases } from './plugin-flags.js';
export { rendering } from './rendering.js';
export { selection } from './selection.js';
