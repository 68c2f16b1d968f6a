import { isJsonObject, type Json, type JsonObject } from '../json/index.js';
import type { NameRules } from './name-rules.js';
import { isSecretOption, OPTION } from './options.js';
import { below, type PointerRules } from './pointer-rules.js';
import type { ValueRules } from './replacement.js';
import { KUBERNETES_SECRET, replacement } from './replacement.js';

export interface Rules {
  byName: NameRules;
  byValue: ValueRules;
  byPointer: PointerRules | undefined;
}

/**
 * Masks a value that the caller made up, with all that is in it. What holds no secret is given back as it is, not copied.
 * @param pointer where the value stands
 * @param rule masks every text from here on: a name above says so
 */
export function maskValue(value: Json, rules: Rules, pointer: string, rule?: string): Json {
  const here = pointer === '' ? undefined : rules.byPointer?.(pointer);
  if (here !== undefined) return replacement(here);
  if (typeof value === 'string') return rule === undefined ? rules.byValue(value) : replacement(rule);
  if (typeof value !== 'object' || value === null) return value;
  return isJsonObject(value) ? maskObject(value, rules, pointer, rule) : maskList(value, rules, pointer, rule);
}

function maskList(list: readonly Json[], rules: Rules, pointer: string, rule: string | undefined): readonly Json[] {
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const value = list[index] ?? null;
    const inside = rule ?? (isSecretOption(list[index - 1], value) ? OPTION : undefined);
    const masked = maskValue(value, rules, rules.byPointer ? below(pointer, index) : '', inside);
    if (masked === value) continue;
    copy ??= [...list];
    copy[index] = masked;
  }
  return copy ?? list;
}

function maskObject(object: JsonObject, rules: Rules, pointer: string, above: string | undefined): JsonObject {
  const own = ownRules(object, rules.byName);
  let changes: Map<string, Member> | undefined;
  for (const name in object) {
    const value = object[name] ?? null;
    const { rule, about, maskedName } = rules.byName(name);
    const inside = own?.(name) ?? rule ?? (about ? undefined : above);
    const masked = maskValue(value, rules, rules.byPointer ? below(pointer, name) : '', inside);
    if (masked === value && maskedName === name) continue;
    changes ??= new Map();
    changes.set(name, { name: maskedName, value: masked });
  }
  return changes ? changed(object, changes) : object;
}

/** Rules that follow from what else an object says: a list of settings gives name and value apart, and a Secret is all secret. */
function ownRules(object: JsonObject, byName: NameRules): ((name: string) => string | undefined) | undefined {
  if (object.kind === 'Secret') return (name) => (name === 'data' || name === 'stringData' ? KUBERNETES_SECRET : undefined);
  if (object.value === undefined) return undefined;
  const named = object.name ?? object.key;
  const rule = typeof named === 'string' ? byName(named).rule : undefined;
  return rule === undefined ? undefined : (name) => (name === 'value' ? rule : undefined);
}

/** A member as it is to be. */
interface Member {
  name: string;
  value: Json;
}

/** Two names that were masked may look the same. The order of members must not matter, so they are counted in that of their names. */
function changed(object: JsonObject, changes: ReadonlyMap<string, Member>): JsonObject {
  const taken = new Set(Object.keys(object).filter((name) => (changes.get(name)?.name ?? name) === name));
  const renamed = [...changes].filter(([name, { name: masked }]) => masked !== name).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = new Map(renamed.map(([name, { name: masked }]) => [name, free(masked, taken)]));
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, changes.get(name)?.value ?? value]));
}

function free(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}#${count}`;
  taken.add(candidate);
  return candidate;
}
