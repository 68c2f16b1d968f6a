import { basename, join } from 'node:path';
import type { Evaluator } from '../cel/evaluator.js';
import { BylawError } from '../errors.js';
import { POD_KINDS } from '../resource/index.js';
import type { JsonObject, JsonValue } from '../resource/text/json.js';
import { schemaCheck, schemaErrors } from '../schema-check.js';
import { readYamlFile } from '../yaml-file.js';
import { checkLogic, parseEach } from './logic.js';
import { type RuleFile, readRule } from './read-rule.js';
import { causesOf, type RuleDetail } from './rule.js';
import { PACK_FILE, type RuleFolder, readRuleFolder } from './rule-folder.js';
import { PACK_SCHEMA, RESERVED_CATEGORIES } from './schema.js';
import { parseTarget } from './target.js';

/** One setting of a pack: a JSON Schema with a description and a default. */
export type PackSetting = JsonObject & { description: string; default: JsonValue };

export interface Pack {
  name: string;
  settings: { [name: string]: PackSetting };
  constants: JsonObject;
  /** Sorted by identifier. */
  rules: RuleDetail[];
}

/**
 * Reads a folder of rule files, one rule each, at any depth, and its optional `pack.yaml`, and compiles every expression.
 * @param options.custom the folder is a user's: it may not use the product's category codes
 * @returns the pack, and every error found, each with file, line and column; rules with an error are left out of the pack
 */
export async function readPack(
  directory: string | RuleFolder,
  evaluator: Evaluator,
  options: { custom?: boolean; displayAs?: string } = {},
): Promise<{ pack: Pack; errors: BylawError[] }> {
  const folder = typeof directory === 'string' ? await readRuleFolder(directory, options.displayAs ?? directory) : directory;
  const errors: BylawError[] = [];
  const header = readHeader(folder, errors);
  const rules: RuleFile[] = [];
  for (const [path, text] of folder.files) {
    if (basename(path) === PACK_FILE) continue;
    const read = readRule(join(folder.name, path), text);
    if ('errors' in read) errors.push(...read.errors);
    else rules.push(read.rule);
  }
  const wrong = (file: RuleFile, path: (string | number)[], message: string, code: 'rule-schema' | 'rule-duplicate' = 'rule-schema') =>
    new BylawError(code, message, { location: file.yaml.locate(path) });
  const seen = new Map<string, RuleFile>();
  const good = rules.filter((file) => {
    const mine = [...expressionErrors(file, evaluator), ...meaningErrors(file, options.custom ?? false, wrong)];
    const first = seen.get(file.rule.id);
    if (first) mine.push(wrong(file, ['id'], `The identifier ${file.rule.id} is also used by ${first.file}.`, 'rule-duplicate'));
    else seen.set(file.rule.id, file);
    errors.push(...mine);
    return mine.length === 0;
  });
  for (const file of good) errors.push(...causeErrors(file, good, options.custom ?? false, wrong));
  const sorted = good.map((file) => file.rule).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { pack: { ...header, rules: sorted }, errors };
}

function readHeader({ name: shown, files }: RuleFolder, errors: BylawError[]): Omit<Pack, 'rules'> {
  const none = { name: 'custom', settings: {}, constants: {} };
  const text = files.find(([path]) => path === PACK_FILE)?.[1];
  if (text === undefined) return none;
  const yaml = readYamlFile(join(shown, PACK_FILE), text, 'rule-schema');
  const breaches = schemaCheck(PACK_SCHEMA)(yaml.value);
  errors.push(...schemaErrors(yaml, breaches, 'rule-schema'));
  if (breaches.length > 0) return none;
  // The schema has just said that the value has this form.
  const raw = yaml.value as { name: string; config?: { [name: string]: PackSetting }; constants?: JsonObject };
  return { name: raw.name, settings: raw.config ?? {}, constants: raw.constants ?? {} };
}

function expressionErrors(file: RuleFile, evaluator: Evaluator): BylawError[] {
  return file.rule.logic.flatMap((logic, index) =>
    checkLogic(logic, evaluator).map(({ field, path: inField, error }) => {
      const path = [...(file.logicPaths[index] ?? []), field, ...inField];
      const location = error.offset === undefined ? file.yaml.locate(path) : file.yaml.locateOffset(path, error.offset);
      return new BylawError('rule-expression', `${file.rule.id}: \`${field}\` does not compile: ${error.message}`, { location });
    }),
  );
}

/** What the schema cannot say. */
function meaningErrors(
  file: RuleFile,
  custom: boolean,
  wrong: (file: RuleFile, path: (string | number)[], message: string) => BylawError,
): BylawError[] {
  const { rule } = file;
  const errors: BylawError[] = [];
  if (custom && RESERVED_CATEGORIES.has(rule.category))
    errors.push(
      wrong(
        file,
        ['id'],
        `The category ${rule.category} is reserved for built-in rules; choose a different category, for example ORG-001.`,
      ),
    );
  rule.logic.forEach((logic, index) => {
    const at = file.logicPaths[index] ?? [];
    const targets = logic.targets.map(parseTarget);
    const podTarget = targets.some(({ target }) => target.type === 'pod' || (target.type === 'builtin' && isPodKind(target.kind)));
    if (parseEach(logic.each).containers && !podTarget)
      errors.push(wrong(file, [...at, 'each'], 'A container list requires the target PodSpec or one of its kinds.'));
  });
  const usesSet = rule.targets.some((target) => parseTarget(target).set);
  if (usesSet && !rule.set)
    errors.push(wrong(file, ['targets'], 'A target with ` +set` requires the field `set`, which lists the kinds that the rule reads.'));
  if (!usesSet && rule.set) errors.push(wrong(file, ['set'], '`set` requires a target with ` +set`.'));
  for (const kind of ['fail', 'pass'] as const)
    if (!rule.examples.some((example) => example[kind])) errors.push(wrong(file, ['examples'], `The rule has no \`${kind}\` example.`));
  return errors;
}

/** A cause must be a rule of the pack, or for a custom pack a built-in one, and no rule may lead back to itself. */
function causeErrors(
  file: RuleFile,
  all: readonly RuleFile[],
  custom: boolean,
  wrong: (file: RuleFile, path: (string | number)[], message: string) => BylawError,
): BylawError[] {
  const causes = new Map(all.map(({ rule }) => [rule.id, causesOf(rule)]));
  return placedCauses(file).flatMap(({ cause, path }) => {
    const builtIn = custom && RESERVED_CATEGORIES.has(cause.slice(0, cause.lastIndexOf('-')));
    if (!causes.has(cause) && !builtIn) return [wrong(file, path, `Unknown rule ${cause} in \`caused_by\`.`)];
    return leadsTo(file.rule.id, cause, causes)
      ? [wrong(file, path, `${cause} is itself caused by ${file.rule.id}: causes must not form a cycle.`)]
      : [];
  });
}

function placedCauses({ rule, logicPaths }: RuleFile): { cause: string; path: (string | number)[] }[] {
  return rule.logic.flatMap(({ caused_by: causes = [] }, logic) =>
    causes.flatMap(({ rules }, index) =>
      rules.map((cause, position) => ({ cause, path: [...(logicPaths[logic] ?? []), 'caused_by', index, 'rules', position] })),
    ),
  );
}

function leadsTo(wanted: string, from: string, causes: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const rest = [from];
  for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
    if (id === wanted) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    rest.push(...(causes.get(id) ?? []));
  }
  return false;
}

function isPodKind(kind: string): boolean {
  return (POD_KINDS as readonly string[]).includes(kind);
}
