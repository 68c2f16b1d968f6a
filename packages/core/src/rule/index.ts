/** Rules as data, compiled packs and the catalogue of an installation. Cheap to load; the compiler of rule files is `compiler.ts`. */
export { type LoadedPack, loadArtefact, writeArtefact } from './artefact.js';
export { type Catalogue, type CatalogueOrigin, type CataloguePack, catalogueOf, loadCatalogue, packInMemory } from './catalogue.js';
export { knownCategory, knownRule, knownSeverity, type RuleFilter, selectRules } from './filter.js';
export { type CompiledLogic, compileLogic, parseEach, type SharedProgram } from './logic.js';
export type { Pack, PackSetting } from './pack.js';
export {
  CATEGORIES,
  CATEGORY_PACKAGES,
  causesOf,
  type ExpectedFinding,
  isFixable,
  isFixedUnsafelyOnly,
  type Rule,
  type RuleDetail,
  type RuleEdit,
  type RuleExample,
  type RuleLogic,
  SEVERITIES,
  type Severity,
  testsAfter,
} from './rule.js';
export { isRuleFile, type RuleFolder } from './rule-folder.js';
export { resolveSettings, settingsSchema } from './settings.js';
export { kindName, parseTarget, type Target, worksAlone } from './target.js';
