/** Flags that commands of several packages share. They load nothing else: a command line is described without the engine. */
export { config, fixing, format, graph, html, json, output, place, policyFrom, remote, rule, rules, subject } from './common.js';
export { failOn, parseThreshold, THRESHOLDS, type Threshold } from './fail-on.js';
export { withFormats, withIncreases } from './plugin-flags.js';
export { rendering } from './rendering.js';
export { evaluation, selection } from './selection.js';
