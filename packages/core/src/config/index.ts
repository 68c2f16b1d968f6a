/** The configuration: one file, its schema as the union of what core and the plugins own, and the precedence of its sources. */

export { type ConfigBreach, checkBreaches } from './breaches.js';
export type { ApiConfig, Config, EvaluateConfig } from './config.js';
export type { ConfigSections, SectionSchema } from './core-sections.js';
export { CORE_SECTIONS } from './core-sections.js';
export { checkPackSettings, effectiveConfig, type LoadedConfig, type LoadOptions, loadConfig } from './load-config.js';
export { nameAt, type Policy, type PolicyCommit, rulesAt } from './policy.js';
export { CONFIG_FILE, type ConfigFile, findConfig } from './read-config.js';
export { configSchema, type OwnedSections, unionOfSections } from './sections.js';
export { BINDINGS, type Environment, type Flags, type Origin, type Setting } from './settings.js';
