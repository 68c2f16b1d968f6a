import type { Evaluator, Program } from '../cel/index.js';
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
import type { RuleCount } from '../score/index.js';

/** One logic of a rule, with the settings and constants of its pack. */
export interface Entry {
  rule: Rule;
  logic: CompiledLogic;
  config: JsonObject;
  constants: JsonObject;
  /** The programs of the logic, each parsed when it is first needed; `when` and `items` are null where the logic has none. */
  items: Step | null | undefined;
  when: Step | null | undefined;
  expression: Program | undefined;
  /** Where the judge of this index counts the rule, once it has. */
  counts: RuleCount | undefined;
}

/** A program that entries share, and where its result is remembered as far as it holds. */
export interface Step {
  readonly program: SharedProgram;
  readonly slot: number;
}

/** The selected rules, found by the kind of a resource. */
export interface RuleIndex {
  /** In catalogue order; the variants of one rule stand together. Empty where no rule judges the kind. */
  entriesFor(resource: Resource, pod: boolean): readonly Entry[];
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
    return rule.logic.map((logic): Entry & { accepts: Accepts } => ({
      rule,
      logic: compiled(logic, evaluator),
      config,
      constants: pack?.constants ?? {},
      items: undefined,
      when: undefined,
      expression: undefined,
      counts: undefined,
      accepts: acceptance(logic.targets),
    }));
  });
  const byKind = new Map<string, readonly Entry[]>();
  const steps = new Map<SharedProgram, Step>();
  return {
    step(program) {
      if (!program) return null;
      const step = steps.get(program) ?? { program, slot: steps.size };
      steps.set(program, step);
      return step;
    },
    // Whether an object of a kind carries a Pod can depend on the object, so that is part of the key.
    entriesFor(resource, pod) {
      const key = `${resource.apiVersion} ${resource.kind} ${pod}`;
      let entries = byKind.get(key);
      if (!entries) {
        const builtin = builtinGroup(resource.apiVersion);
        const name = kindName(resource.apiVersion, resource.kind, builtin);
        entries = all.filter((entry) => entry.accepts(name, resource.apiVersion, pod));
        byKind.set(key, entries);
      }
      return entries;
    },
  };
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
