export { loadArtefact, writeArtefact } from './artefact.js';
export { type Catalogue, type CatalogueOrigin, type CataloguePack, catalogueOf, loadCatalogue, packInMemory } from './catalogue.js';
export { compilePack, PackError } from './compile.js';
export { knownCategory, knownRule, knownSeverity, type RuleFilter, selectRules } from './filter.js';
export { type CompiledLogic, compileLogic, parseEach } from './logic.js';
export { type Pack, type PackSetting, readPack } from './pack.js';
export {
  CATEGORIES,
  type ExpectedFinding,
  type Rule,
  type RuleDetail,
  type RuleEdit,
  type RuleExample,
  type RuleLogic,
  SEVERITIES,
  type Severity,
} from './rule.js';
export { PACK_SCHEMA, RULE_SCHEMA } from './schema.js';
export { checkSettings, resolveSettings, settingsSchema } from './settings.js';
export { kindName, parseTarget, type Target } from './target.js';
