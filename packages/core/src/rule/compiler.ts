/** Reading, checking and compiling rule files and the settings of packs: what a build, custom rules and `bylaw rules test` need. */
export { compileBuiltInPack, compilePack, PackError, readCustomPack } from './compile.js';
export { readPack } from './pack.js';
export { PACK_SCHEMA, RULE_SCHEMA } from './schema.js';
export { checkSettings } from './settings-check.js';
