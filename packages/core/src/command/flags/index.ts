/** Flags that commands of several packages share. They load nothing else: a command line is described without the engine. */
export { config } from './config.js';
export { failOn, parseThreshold, THRESHOLDS, type Threshold } from './fail-on.js';
export { fixing } from './fixing.js';
export { format, output } from './format.js';
export { html } from './html.js';
export { json } from './json.js';
export { judging } from './judging.js';
export { place } from './place.js';
export { withFormats, withIncreases } from './plugin-flags.js';
export { policyFrom } from './policy-from.js';
export { remote } from './remote.js';
export { rendering } from './rendering.js';
export { rule } from './rule.js';
export { rules } from './rule-dirs.js';
export { selection } from './selection.js';
export { subject } from './subject.js';
