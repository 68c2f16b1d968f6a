import { type Evaluator, MAX_STEPS, type Program, StepBudget } from '../cel/index.js';
import { builtinGroup, type Resource } from '../resource/index.js';
import type { JsonObject } from '../resource/resource.js';
import {
  type Catalogue,
  type CompiledLogic,
  compileLogic,
  kindName,
  parseTarget,
  type Rule,
  type RuleLogic,
  type SharedProgram,
  type Target,
} from '../rule/index.js';
import type { Outcome, RuleCount } from '../score/index.js';

/** One logic of a rule, with the settings and constants of its pack. */
export interface Entry {
  rule: Rule;
  logic: CompiledLogic;
  config: JsonObject;
  constants: JsonObject;
  /** The programs of the logic, each parsed when it is first needed; `when` is null where the logic has none. */
  when: Step | null | undefined;
  expression: Program | undefined;
  /** Where the judge of this index counts the rule, once it has. */
  counts: RuleCount | undefined;
  /** What the entry says about the resource that is being judged. */
  outcome: Outcome | undefined;
  /** What it may still spend on that resource: on all containers and items of it together. */
  budget: StepBudget;
}

/** Entries that are applied to the same containers and items: where there are none, all are done at once. */
export interface EntryGroup {
  readonly containers: ReadonlySet<string> | undefined;
  /** Null where the logics have no list; parsed when first needed. */
  items: Step | null | undefined;
  readonly entries: Entry[];
  /** What the list may still cost for the resource that is being judged. */
  readonly budget: StepBudget;
}

/** What is counted together: the variants of one rule in catalogue order, each in a group of its own, or one group of several rules. */
export type Unit = readonly EntryGroup[];

/** A program that entries share, and where its result is remembered as far as it holds. */
export interface Step {
  readonly program: SharedProgram;
  readonly slot: number;
}

/** The selected rules, found by the kind of a resource. */
export interface RuleIndex {
  /** Empty where no rule judges the kind. */
  unitsFor(resource: Resource, pod: boolean): readonly Unit[];
  /** The program of an entry's `each` or `when`. */
  step(program: SharedProgram | undefined): Step | null;
}

export function ruleIndex(
  catalogue: Catalogue,
  rules: readonly Rule[],
  evaluator: Evaluator,
  settings: { [pack: string]: JsonObject },
): RuleIndex {
  const all = rules.flatMap((rule) => {
    const pack = catalogue.packOf(rule.id);
    const config = (pack && settings[pack.name]) ?? {};
    return rule.logic.map(
      (logic): IndexedEntry => ({
        rule,
        logic: compiled(logic, evaluator),
        config,
        constants: pack?.constants ?? {},
        when: undefined,
        expression: undefined,
        counts: undefined,
        outcome: undefined,
        budget: new StepBudget(MAX_STEPS),
        accepts: acceptance(logic.targets),
        group: groupKey(rule, logic, pack?.name),
      }),
    );
  });
  const byKind = new Map<string, readonly Unit[]>();
  const steps = new Map<SharedProgram, Step>();
  return {
    step(program) {
      if (!program) return null;
      const step = steps.get(program) ?? { program, slot: steps.size };
      steps.set(program, step);
      return step;
    },
    // Whether an object of a kind carries a Pod can depend on the object, so that is part of the key.
    unitsFor(resource, pod) {
      const key = `${resource.apiVersion} ${resource.kind} ${pod}`;
      let units = byKind.get(key);
      if (!units) {
        const builtin = builtinGroup(resource.apiVersion);
        const name = kindName(resource.apiVersion, resource.kind, builtin);
        units = unitsOf(all.filter((entry) => entry.accepts(name, resource.apiVersion, pod)));
        if (byKind.size >= MAX_KINDS) byKind.clear();
        byKind.set(key, units);
      }
      return units;
    },
  };
}

/** Kinds whose rules are remembered. An index that lives as long as a server must not grow with every kind that somebody makes up. */
const MAX_KINDS = 2000;

interface IndexedEntry extends Entry {
  accepts: Accepts;
  /** Entries of one key may share a group. */
  group: string | undefined;
}

/** The same `each` gives the same items under the same settings and variables. */
function groupKey(rule: Rule, { each, targets }: RuleLogic, pack: string | undefined): string | undefined {
  if (rule.logic.length > 1) return undefined;
  return JSON.stringify([each, pack, targets.some((target) => parseTarget(target).set)]);
}

function unitsOf(entries: readonly IndexedEntry[]): Unit[] {
  const units: EntryGroup[][] = [];
  const shared = new Map<string, EntryGroup>();
  let previous: IndexedEntry | undefined;
  for (const entry of entries) {
    const known = entry.group === undefined ? undefined : shared.get(entry.group);
    if (known) known.entries.push(entry);
    else {
      const group: EntryGroup = {
        containers: entry.logic.containers,
        items: undefined,
        entries: [entry],
        budget: new StepBudget(MAX_STEPS),
      };
      if (entry.group !== undefined) shared.set(entry.group, group);
      if (previous?.rule === entry.rule) units.at(-1)?.push(group);
      else units.push([group]);
    }
    previous = entry;
  }
  return units;
}

/** Parsed expressions outlive a run: a server's worker judges many inputs with the same rules. */
const compiledLogics = new WeakMap<RuleLogic, CompiledLogic>();

function compiled(logic: RuleLogic, evaluator: Evaluator): CompiledLogic {
  let known = compiledLogics.get(logic);
  if (!known) {
    known = compileLogic(logic, evaluator);
    compiledLogics.set(logic, known);
  }
  return known;
}

type Accepts = (kindName: string, apiVersion: string, pod: boolean) => boolean;

function acceptance(targets: readonly string[]): Accepts {
  const parsed = targets.map((text) => parseTarget(text).target);
  return (name, apiVersion, pod) => parsed.some((target) => accepts(target, name, apiVersion, pod));
}

function accepts(target: Target, name: string, apiVersion: string, pod: boolean): boolean {
  switch (target.type) {
    case 'any':
      return apiVersion !== 'terraform';
    case 'pod':
      return pod;
    case 'builtin':
      return name === target.kind;
    case 'custom':
      return name === `${target.group}/${target.kind}`;
    case 'group':
      return apiVersion.startsWith(`${target.group}/`);
  }
}
