import { StepBudget } from '../cel/index.js';
import type { Clock } from '../clock.js';
import type { InputError } from '../errors.js';
import { readObject } from '../resource/index.js';
import { type Catalogue, parseTarget, type Rule, type RuleLogic, resolveSettings, worksAlone } from '../rule/index.js';
import type { Finding } from './findings/finding.js';
import { findingKey } from './findings/finding-key.js';
import { ResourceGroups } from './items/resource-index.js';
import { createRuleRunner } from './run/rule-runner.js';
import type { PlanRequest } from './run/run-plan.js';
import type { Selection } from './select.js';
import { selectForRun } from './select-for-run.js';

/** How single objects are evaluated. */
export interface ObjectEvaluationOptions
  extends Pick<PlanRequest, 'exceptionsFrom' | 'exceptions' | 'baseline' | 'namespace' | 'packSettings'> {
  filter?: Selection;
  /** Whether the annotation with exceptions is honoured on objects of a namespace; the empty one stands for objects without any. */
  annotations: (namespace: string) => boolean;
}

/** The result for one object. */
export interface EvaluatedObject {
  /** In the order of the rules. They have no location. */
  findings: Finding[];
  /** Of each finding, in the same order: its identity from one version of the object to the next, see `findingKey`. */
  keys: string[];
  /** Why the object, or a part of it, could not be evaluated. */
  errors: InputError[];
  /** Kinds of what the value holds that no rule covers, see `Summary.unchecked`. */
  unchecked: string[];
}

/** Rules that were made ready once, for a caller that brings one object after another and waits for each answer. */
export interface ObjectEvaluator {
  /** The rules that can be asked about one object. */
  readonly rules: readonly Rule[];
  /**
   * Evaluates an object as an API server holds it: with its defaults filled in. Never throws on any value. Rules that take too long on it are findings
   * of status `error`, like everything that cannot be evaluated.
   * @param namespace of the object, where the caller knows it better than the object
   */
  evaluate(value: unknown, namespace?: string): EvaluatedObject;
}

/**
 * Makes the rules ready. Rules that need the whole set (` +set`) are left out: there is one object. Expressions are compiled when they are first
 * needed, so a caller in a hurry evaluates a few objects beforehand.
 * @throws {BylawError} `no-rules-selected`, and for unknown names in the filter
 */
export function objectEvaluator(catalogue: Catalogue, how: ObjectEvaluationOptions, clock: Clock): ObjectEvaluator {
  const rules = selectForRun(catalogue, how.filter).rules.flatMap(forOneObject);
  const namespace = how.namespace ?? 'default';
  const { run, tally } = createRuleRunner({
    catalogue,
    rules,
    evaluator: catalogue.evaluator,
    settings: resolveSettings(catalogue, how.packSettings),
    exceptions: {
      ...(how.exceptionsFrom && { from: how.exceptionsFrom }),
      configured: how.exceptions ?? [],
      baseline: how.baseline ?? new Set(),
      // The returned object outlives the day on which it was made.
      get today() {
        return clock.now().toISOString().slice(0, 10);
      },
    },
    includePassed: false,
    namespace,
    resources: new ResourceGroups({}, { namespace }),
    ownExceptions: (resource) => how.annotations(resource.namespace ?? ''),
  });
  return {
    rules,
    evaluate(value, given) {
      const read = readObject(value, { file: '', document: 0, served: true });
      const resources = read.resources.map((resource) => ({ ...resource, live: true, ...(given !== undefined && { namespace: given }) }));
      const evaluated: EvaluatedObject = { findings: [], keys: [], errors: read.errors, unchecked: [] };
      tally.unchecked.clear();
      for (const { resource, findings, errors } of new StepBudget(MAX_STEPS).run(() => run(resources))) {
        for (const finding of findings) {
          evaluated.findings.push(finding);
          evaluated.keys.push(findingKey(finding, resource));
        }
        evaluated.errors.push(...errors);
      }
      evaluated.unchecked = [...tally.unchecked.keys()];
      return evaluated;
    },
  };
}

/**
 * Steps of all rules together on one object. The largest that API servers take need a third of them; one that is made to keep rules busy, say
 * with thousands of volumes for thousands of mounts, is given up after a second or two, rule by rule.
 */
const MAX_STEPS = 200_000_000;

/** The rule without the targets for which it looks at the set; nothing where it always does. */
function forOneObject(rule: Rule): Rule[] {
  const logic = rule.logic.flatMap(alone);
  return logic.length > 0 ? [{ ...rule, logic }] : [];
}

/** A target that is named both with and without ` +set` can do without the set: it then finds nothing there. */
function alone(logic: RuleLogic): RuleLogic[] {
  const targets = logic.targets.filter((target) => !parseTarget(target).set || worksAlone(target, logic.targets));
  if (targets.length === logic.targets.length) return [logic];
  return targets.length > 0 ? [{ ...logic, targets }] : [];
}
