import { createEvaluator, type Program } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { groupOf, isObject, type JsonObject, readObject } from '@bylaw/core/resource';
import { type Catalogue, catalogueOf, type Rule, resolveSettings } from '@bylaw/core/rule';
import { pluralOfKind } from '../../cluster/plural-of-kind.js';
import { type PolicyOptions, policyOf, type ValidatingAdmissionPolicy } from './policy.js';
import { NotExportable } from './term/not-exportable.js';
import { printFlat } from './term/print.js';
import { readTerm } from './term/read-term.js';
import { call, mapOperands, type Term } from './term/term.js';
import { translateRule } from './translate-rule.js';

export const OPTIONS: PolicyOptions = {
  actions: () => ['Deny'],
  namespaceSelector: {},
  controllers: ['system:serviceaccount:kube-system:job-controller'],
};

const evaluator = createEvaluator();
const BOUNDS = { variables: ['object', 'oldObject', 'request', 'variables'], maxNodes: 20_000, maxNesting: 20 };

/** The value of an expression of a policy, by our own evaluator: its dialect holds that of the API server. */
export function evaluated(expression: string, scope: { readonly [name: string]: unknown }): unknown {
  const program = programs.get(expression) ?? evaluator.compile(printFlat(typesOfInput(readTerm(expression))), BOUNDS);
  programs.set(expression, program);
  return program.evaluate(scope);
}

const programs = new Map<string, Program>();

/** For authors of rules, our dialect refuses `type(x)` of what comes from outside. */
function typesOfInput(term: Term): Term {
  const inner = mapOperands(term, typesOfInput);
  return inner.is === 'call' && inner.name === 'type' ? { ...inner, args: inner.args.map((arg) => call('dyn', arg)) } : inner;
}

/** The texts of the violations that a policy finds in an object; undefined where its constraints or a match condition leave the object out. */
export function violationsIn(
  policy: ValidatingAdmissionPolicy,
  object: JsonObject,
  { oldObject = null, username = 'alice' }: { oldObject?: JsonObject | null; username?: string } = {},
): string[] | undefined {
  if (!isConstrainedTo(policy, object)) return undefined;
  const scope = {
    object: withIntegers(object),
    oldObject: oldObject && withIntegers(oldObject),
    request: { userInfo: { username } },
    variables: {} as { [name: string]: unknown },
  };
  if (!policy.spec.matchConditions.every(({ expression }) => evaluated(expression, scope) === true)) return undefined;
  for (const { name, expression } of policy.spec.variables) scope.variables[name] = evaluated(expression, scope);
  return policy.spec.validations.flatMap(({ expression }) => {
    const [, name = ''] = /^variables\.(\w+) == ""$/.exec(expression) ?? [];
    return evaluated(expression, scope) === true ? [] : [String(scope.variables[name])];
  });
}

/** Whether the API server asks this policy about objects of this kind. */
export function isConstrainedTo(policy: ValidatingAdmissionPolicy, { apiVersion, kind }: JsonObject): boolean {
  const group = groupOf(String(apiVersion));
  return policy.spec.matchConstraints.resourceRules.some(
    ({ apiGroups, resources }) =>
      (apiGroups.includes('*') || apiGroups.includes(group)) && (resources.includes('*') || resources.includes(pluralOfKind(String(kind)))),
  );
}

/** The API server reads whole numbers as integers. */
function withIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIntegers(inner)]));
}

/** An object as the API server hands it to admission, as far as a test without one can tell: fields of the wrong type are gone, and no owner is believed. */
export function asAdmitted(object: JsonObject): JsonObject {
  const copy = structuredClone(object);
  const [resource] = readObject(copy, { file: 'example.yaml', document: 0 }).resources;
  const admitted = resource?.object ?? copy;
  if (isObject(admitted.metadata)) delete admitted.metadata.ownerReferences;
  return admitted;
}

/** The messages of what the engine finds in an object of a cluster, by some logic of a rule. */
export async function messagesOf(rule: Rule, catalogue: Catalogue, object: JsonObject, config: JsonObject | undefined): Promise<string[]> {
  const pack = catalogue.packOf(rule.id);
  const loaded = { name: 'rule', settings: {}, constants: {}, ...pack, rules: [rule], detail: () => ({ ...rule, examples: [] }) };
  const engine = createEngine({ catalogue: catalogueOf([loaded], { packs: [], ruleDirs: [] }), clock: fixedClock('2026-11-21') });
  const messages: string[] = [];
  const objects = async function* () {
    yield structuredClone(object);
  };
  const packSettings = config ? { [loaded.name]: config } : {};
  for await (const event of engine.evaluate({ inputs: [{ live: true, objects }], packSettings, threads: 0 }))
    if (event.type === 'findings')
      messages.push(...event.batch.findings().flatMap(({ status, message }) => (status === 'fail' ? message : [])));
  return messages;
}

/** An example of a rule, with the part of the rule that has a policy. */
export interface ExampleCase {
  rule: Rule;
  policy: ValidatingAdmissionPolicy;
  object: JsonObject;
  config: JsonObject | undefined;
}

/** Objects that the API server refuses before it asks a policy: some examples show that the engine bears what has the wrong type. */
const REFUSED = new Set([
  'CS-032: entries of the wrong type allow nothing',
  'CS-050: other spellings of the same directory',
  'CS-097: absent and null flags are false',
  'CH-105: a template',
  'SC-029: a value of the wrong type',
  'SC-034: items of the wrong type',
  'SC-043: the older field; a pipeline in a pipeline',
]);

/** All examples of all rules that have a policy, each with a policy for its settings. */
export function exampleCases(catalogue: Catalogue): ExampleCase[] {
  return catalogue.rules.flatMap((rule) => {
    const made = new Map<string, ReturnType<typeof policyFor>>();
    const examples = (catalogue.detail(rule.id)?.examples ?? []).filter(({ note }) => !REFUSED.has(`${rule.id}: ${note}`));
    return examples.flatMap(({ fail, pass, skip, config }) => {
      const key = JSON.stringify(config ?? {});
      if (!made.has(key)) made.set(key, policyFor(rule, catalogue, config));
      const policy = made.get(key);
      return policy ? [fail ?? pass ?? skip ?? []].flat().map((object) => ({ ...policy, object, config })) : [];
    });
  });
}

function policyFor(rule: Rule, catalogue: Catalogue, config: JsonObject | undefined): Pick<ExampleCase, 'rule' | 'policy'> | undefined {
  const pack = catalogue.packOf(rule.id);
  const name = pack?.name ?? '';
  const settings = resolveSettings(catalogue, config ? { [name]: config } : {});
  try {
    const translated = translateRule(rule, { config: settings[name] ?? {}, constants: pack?.constants ?? {} });
    return { rule: { ...rule, logic: [...translated.logic] }, policy: policyOf(rule, translated, OPTIONS) };
  } catch (error) {
    if (error instanceof NotExportable) return undefined;
    throw error;
  }
}
