import { entriesOf, isMap, member, requiredLabels, selects, spendOnSearchedSet } from '../../cel/index.js';
import { parsePointer } from '../../resource/index.js';
import { EVERY_ITEM } from './projections.js';

/** The positions of resources in their room, by a text. */
type Positions = ReadonlyMap<string, readonly number[]>;

interface Selectors {
  /** By the first label that the selector requires. */
  readonly requiring: Positions;
  /** Of resources whose selector requires no label as it is. */
  readonly others: readonly number[];
  /** The selector of each resource. */
  readonly all: readonly unknown[];
}

/** Resources of one kind in one namespace, in the order of the input. What finds some of them is made when it is first asked for. */
export class Room {
  readonly values: unknown[] = [];
  readonly #named = new Map<string, unknown>();
  /** The first file that defines the resource of a name; and all of them, where there are several. */
  readonly #definedIn = new Map<string, string | Set<string>>();
  readonly #repeated = new Set<string>();
  readonly #texts = new TextIndex();
  readonly #selectors = new Map<string, Selectors>();
  #labelled: Positions | undefined;

  constructor(private readonly kind: string) {}

  /** @param file absent for what was fetched from a cluster */
  add(name: string, value: unknown, file: string | undefined): void {
    this.values.push(value);
    if (!this.#named.has(name)) this.#named.set(name, value);
    if (file === undefined) return;
    const known = this.#definedIn.get(name);
    if (known === undefined) this.#definedIn.set(name, file);
    else if (typeof known === 'string' ? known === file : known.has(file)) this.#repeated.add(name);
    else this.#definedIn.set(name, new Set(typeof known === 'string' ? [known, file] : [...known, file]));
  }

  /** The first resource of that name. */
  named(name: string): unknown {
    return this.#named.get(name);
  }

  /** Whether one file defines the resource of that name more than once. */
  repeats(name: string): boolean {
    return this.#repeated.has(name);
  }

  having(pointer: string, text: string): readonly unknown[] {
    return this.#texts.having(this.values, pointer, text);
  }

  selected(selector: unknown): readonly unknown[] {
    if (!isMap(selector)) return [];
    const [required] = requiredLabels(selector);
    const candidates = required === undefined ? this.values : at(this.values, this.#labels().get(labelKey(...required)) ?? []);
    if (required === undefined) spendOnSearchedSet(candidates.length);
    return candidates.filter((value) => selects(selector, labelsOf(value)));
  }

  selecting(member: string, labels: unknown): readonly unknown[] {
    const { requiring, others, all } = this.#selectorsAt(member);
    const wanted = new Map(entriesOf(labels));
    const positions = [...others, ...[...wanted].flatMap(([key, value]) => requiring.get(labelKey(key, value)) ?? [])];
    spendOnSearchedSet(positions.length);
    return positions
      .filter((position) => selects(all[position], wanted))
      .sort((a, b) => a - b)
      .map((position) => this.values[position]);
  }

  #labels(): Positions {
    if (this.#labelled !== undefined) return this.#labelled;
    const labelled = new Map<string, number[]>();
    for (const [position, value] of this.values.entries())
      for (const [key, label] of labelsOf(value)) append(labelled, labelKey(key, label), position);
    this.#labelled = labelled;
    return labelled;
  }

  #selectorsAt(name: string): Selectors {
    const known = this.#selectors.get(name);
    if (known !== undefined) return known;
    const all = this.values.map((value) => selectorOf(member(member(value, 'spec'), name), this.kind));
    const requiring = new Map<string, number[]>();
    const others: number[] = [];
    for (const [position, selector] of all.entries()) {
      const [required] = requiredLabels(selector);
      if (required !== undefined) append(requiring, labelKey(...required), position);
      else if (selector !== undefined) others.push(position);
    }
    const made = { requiring, others, all };
    this.#selectors.set(name, made);
    return made;
  }
}

/** Finds values by the texts that they have at JSON Pointers. Each pointer gets its index at its first use. */
export class TextIndex {
  readonly #positions = new Map<string, Positions>();

  /** @param values the same each time; @param pointer in which `*` stands for every item of a list */
  having(values: readonly unknown[], pointer: string, text: string): readonly unknown[] {
    const positions = this.#positions.get(pointer) ?? positionsOfTexts(values, parsePointer(pointer));
    this.#positions.set(pointer, positions);
    return at(values, positions.get(text) ?? []);
  }
}

function positionsOfTexts(values: readonly unknown[], steps: readonly string[]): Positions {
  const positions = new Map<string, number[]>();
  for (const [position, value] of values.entries())
    for (const text of new Set(valuesAt(value, steps))) if (typeof text === 'string') append(positions, text, position);
  return positions;
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === EVERY_ITEM) return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return valuesAt(member(value, step), rest);
}

function at(values: readonly unknown[], positions: readonly number[]): readonly unknown[] {
  spendOnSearchedSet(positions.length);
  return positions.map((position) => values[position]);
}

/** These kinds hold labels where others hold a selector, and select nothing where there are none. */
const PLAIN_SELECTORS: ReadonlySet<string> = new Set(['Service', 'ReplicationController']);

function selectorOf(value: unknown, kind: string): unknown {
  // The API reads an absent podSelector as an empty one: kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1
  if (kind === 'NetworkPolicy') return value ?? {};
  if (!PLAIN_SELECTORS.has(kind)) return value;
  return entriesOf(value).length === 0 ? undefined : { matchLabels: value };
}

function labelsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(entriesOf(member(member(value, 'metadata'), 'labels')));
}

function labelKey(key: string, value: unknown): string {
  return `${key}\n${String(value)}`;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
