import { type Evaluator, MAX_STEPS, type Program, StepBudget } from '../../cel/index.js';
import { builtinGroup, type Resource } from '../../resource/index.js';
import type { JsonObject } from '../../resource/text/json.js';
import {
  type Catalogue,
  type CompiledLogic,
  causesOf,
  compileLogic,
  kindName,
  parseTarget,
  type Rule,
  type RuleLogic,
  type SharedProgram,
  type Target,
} from '../../rule/index.js';
import type { Outcome, RuleCount } from '../../score/index.js';
import type { Unknown, UnknownValue } from '../../undecided.js';

/** One logic of a rule, with the settings and constants of its pack. */
export interface Entry {
  rule: Rule;
  logic: CompiledLogic;
  config: JsonObject;
  constants: JsonObject;
  /** The programs of the logic, each parsed when it is first needed; `when` is null if the logic does not have a condition. */
  when: Step | null | undefined;
  expression: Program | undefined;
  /** Where the run counts the rule; undefined until it first does. */
  counts: RuleCount | undefined;
  /** What the entry says about the resource that is being evaluated. */
  outcome: Outcome | undefined;
  /** Why it cannot say more, if something that decides is unknown. */
  undecided: Undecided | undefined;
  /** What it may still spend on that resource: on all containers and items of it together. */
  budget: StepBudget;
}

/** What is not known, and the place that the rule is about. */
export interface Undecided {
  unknown: Unknown | UnknownValue;
  path: string;
}

/** Entries that are applied to the same containers and items: where there are none, all are done at once. */
export interface EntryGroup {
  readonly containers: ReadonlySet<string> | undefined;
  /** Null where the logics have no list; parsed when first needed. */
  items: Step | null | undefined;
  readonly entries: Entry[];
  /** What the list may still cost for the resource that is being evaluated. */
  readonly budget: StepBudget;
}

/** What is counted together: the variants of one rule in catalogue order, each in a group of its own, or one group of several rules. */
export type Unit = readonly EntryGroup[];

/** A program that entries share, and where its result is remembered as far as it holds. */
export interface Step {
  readonly program: SharedProgram;
  readonly slot: number;
}

/** The selected rules for one kind. */
export interface KindRules {
  /** Empty if no rule covers the kind. */
  readonly units: readonly Unit[];
  /** The name by which rules call the kind: `Pod`, or `group/Kind` for what the API server does not serve itself. */
  readonly name: string;
  /** Whether a rule names the kind or its group. A rule for every kind (`*`), or of what every object has, does not say that anybody thought of this one. */
  readonly covered: boolean;
}

/** The selected rules, found by the kind of a resource. */
export interface RuleIndex {
  /** What the selected rules have for the kind of a resource. @param pod whether the resource carries a Pod */
  forKind(resource: Resource, pod: boolean): KindRules;
  /** The program of an entry's `each` or `when`. */
  step(program: SharedProgram | undefined): Step | null;
  /** Whether a rule may be the cause or the consequence of another selected one. */
  isRelated(rule: Rule): boolean;
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
        undecided: undefined,
        budget: new StepBudget(MAX_STEPS),
        ...acceptance(logic.targets),
        group: groupKey(rule, logic, pack?.name),
      }),
    );
  });
  const related = relatedRules(rules);
  const byKind = new Map<string, KindRules>();
  const steps = new Map<SharedProgram, Step>();
  return {
    isRelated: ({ id }) => related.has(id),
    step(program) {
      if (!program) return null;
      const step = steps.get(program) ?? { program, slot: steps.size };
      steps.set(program, step);
      return step;
    },
    // Whether an object of a kind carries a Pod can depend on the object, so that is part of the key.
    forKind({ apiVersion, kind }, pod) {
      const key = `${apiVersion} ${kind} ${pod}`;
      let known = byKind.get(key);
      if (!known) {
        const name = kindName(apiVersion, kind, builtinGroup(apiVersion));
        const entries = all.filter((entry) => entry.accepts(name, apiVersion, pod));
        known = {
          units: unitsOf(entries),
          name,
          covered: entries.some((entry) => !entry.rule.generic && entry.names(name, apiVersion, pod)),
        };
        if (byKind.size >= MAX_KINDS) byKind.clear();
        byKind.set(key, known);
      }
      return known;
    },
  };
}

/** Kinds whose rules are remembered. An index that lives as long as a server must not grow with every kind that somebody makes up. */
const MAX_KINDS = 2000;

interface IndexedEntry extends Entry, Acceptance {
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

/** Parsed expressions outlive a run: a server's worker evaluates many inputs with the same rules. */
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

/** Which kinds a logic is applied to, and which of them its targets name. */
interface Acceptance {
  accepts: Accepts;
  names: Accepts;
}

function acceptance(targets: readonly string[]): Acceptance {
  const parsed = targets.map((text) => parseTarget(text).target);
  const named = parsed.filter(({ type }) => type !== 'any');
  const some =
    (among: readonly Target[]): Accepts =>
    (name, apiVersion, pod) =>
      among.some((target) => accepts(target, name, apiVersion, pod));
  return { accepts: some(parsed), names: some(named) };
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

function relatedRules(rules: readonly Rule[]): ReadonlySet<string> {
  const selected = new Set(rules.map(({ id }) => id));
  return new Set(
    rules.flatMap((rule) => {
      const causes = causesOf(rule).filter((cause) => selected.has(cause));
      return causes.length > 0 ? [rule.id, ...causes] : [];
    }),
  );
}
