import { createEvaluator, type Evaluator } from '../cel/index.js';
import { BylawError } from '../errors.js';
import type { JsonObject } from '../resource/text/json.js';
import { type LoadedPack, loadArtefact } from './artefact.js';
import type { Pack, PackSetting } from './pack.js';
import { CATEGORIES, type Rule, type RuleDetail } from './rule.js';
import type { RuleFolder } from './rule-folder.js';

/** All rules of an installation: the packs of its plugins, then the user's own. */
export interface Catalogue {
  /** In the order of the categories, then by identifier; custom categories last, by name. */
  readonly rules: readonly Rule[];
  get(id: string): Rule | undefined;
  /** The rule with its examples. */
  detail(id: string): RuleDetail | undefined;
  /** The pack that a rule came from. */
  packOf(id: string): CataloguePack | undefined;
  readonly packs: readonly CataloguePack[];
  /** Compiles the expressions of the rules, or takes them from where the packs have them compiled. */
  readonly evaluator: Evaluator;
  /** What a worker thread needs to load the same catalogue. */
  readonly origin: CatalogueOrigin;
}

export interface CataloguePack {
  name: string;
  settings: { [name: string]: PackSetting };
  constants: JsonObject;
}

export interface CatalogueOrigin {
  /** Addresses of compiled packs (`file:` URLs). */
  packs: string[];
  /** Folders of rule files, compiled when they are loaded. */
  ruleDirs: (string | RuleFolder)[];
}

/**
 * Loads the compiled packs and the custom folders.
 * @throws {BylawError} `pack-unreadable`, `rule-duplicate`; {PackError} (`compile.ts`) naming every error of the custom folders.
 */
export async function loadCatalogue(origin: {
  packs: readonly (URL | string)[];
  ruleDirs?: readonly (string | RuleFolder)[];
}): Promise<Catalogue> {
  const ruleDirs = [...(origin.ruleDirs ?? [])];
  const loaded = origin.packs.map((pack) => loadArtefact(new URL(pack)));
  for (const directory of ruleDirs) loaded.push(await loadFolder(directory));
  return catalogueOf(loaded, { packs: origin.packs.map(String), ruleDirs });
}

/** A catalogue of packs already in memory. */
export function catalogueOf(packs: readonly LoadedPack[], origin: CatalogueOrigin): Catalogue {
  const byId = new Map<string, { rule: Rule; pack: LoadedPack }>();
  for (const pack of packs)
    for (const rule of pack.rules) {
      if (byId.has(rule.id))
        throw new BylawError(
          'rule-duplicate',
          `The rule ${rule.id} of pack ${pack.name} already exists in pack ${byId.get(rule.id)?.pack.name}.`,
          {
            hint: 'Give the custom rule a different identifier.',
          },
        );
      byId.set(rule.id, { rule, pack });
    }
  const rules = [...byId.values()].map((entry) => entry.rule).sort(inOrder);
  return {
    rules,
    packs,
    evaluator: createEvaluator(packs.flatMap(({ code = [] }) => code)),
    origin,
    get: (id) => byId.get(id)?.rule,
    packOf: (id) => byId.get(id)?.pack,
    detail: (id) => {
      const entry = byId.get(id);
      return entry?.pack.detail(entry.rule);
    },
  };
}

/** A pack that was read from its folder, without the detour over an artefact. */
export function packInMemory(pack: Pack): LoadedPack {
  const details = new Map(pack.rules.map((rule) => [rule.id, rule]));
  return { ...pack, detail: (rule) => details.get(rule.id) ?? { ...rule, examples: [] } };
}

/** The compiler of rule files is loaded only where there are custom folders: without them a catalogue is there in milliseconds. */
async function loadFolder(directory: string | RuleFolder): Promise<LoadedPack> {
  const { readCustomPack } = await import('./compile.js');
  return packInMemory(await readCustomPack(directory));
}

const CATEGORY_ORDER = new Map(Object.keys(CATEGORIES).map((code, index) => [code, index]));

function inOrder(a: Rule, b: Rule): number {
  const order = rank(a) - rank(b);
  return order !== 0 ? order : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function rank(rule: Rule): number {
  return CATEGORY_ORDER.get(rule.category) ?? CATEGORY_ORDER.size;
}
