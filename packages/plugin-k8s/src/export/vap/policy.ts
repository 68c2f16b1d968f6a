import type { Rule } from '@bylaw/core/rule';
import { expressionOf } from './expression.js';
import { type MatchCondition, matchConditions, type ResourceRule, resourceRules } from './match.js';
import type { TranslatedRule } from './translate-rule.js';

export interface PolicyOptions {
  /** What comes of an object that does not pass. */
  actions: (rule: Rule) => readonly ValidationAction[];
  /** What comes of an object when an expression fails: where absent, it is let through if the rule searches texts of any length. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** The namespaces whose objects are looked at. */
  namespaceSelector: LabelSelector;
  /** The users that are known to be controllers of the built-in workloads; what they make has been evaluated before. */
  controllers: readonly string[];
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';

export interface LabelSelector {
  matchLabels?: { [key: string]: string };
  matchExpressions?: { key: string; operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'; values?: string[] }[];
}

interface Metadata {
  name: string;
  labels: { [key: string]: string };
  annotations: { [key: string]: string };
}

/** admissionregistration.k8s.io/v1 */
export interface ValidatingAdmissionPolicy {
  apiVersion: 'admissionregistration.k8s.io/v1';
  kind: 'ValidatingAdmissionPolicy';
  metadata: Metadata;
  spec: {
    failurePolicy: 'Fail' | 'Ignore';
    matchConstraints: { matchPolicy: 'Equivalent'; resourceRules: ResourceRule[]; excludeResourceRules?: ResourceRule[] };
    matchConditions: MatchCondition[];
    variables: { name: string; expression: string }[];
    validations: { expression: string; message: string; messageExpression: string; reason: 'Forbidden' }[];
    auditAnnotations: { key: string; valueExpression: string }[];
  };
}

/** admissionregistration.k8s.io/v1 */
export interface ValidatingAdmissionPolicyBinding {
  apiVersion: 'admissionregistration.k8s.io/v1';
  kind: 'ValidatingAdmissionPolicyBinding';
  metadata: Metadata;
  spec: { policyName: string; validationActions: ValidationAction[]; matchResources: { namespaceSelector: LabelSelector } };
}

export function policyOf(rule: Rule, translated: TranslatedRule, options: PolicyOptions): ValidatingAdmissionPolicy {
  const names = translated.violations.map((_, index) => (index === 0 ? 'violations' : `violations${index + 1}`));
  const named = [...translated.variables, ...translated.violations.map((term, index) => [names[index] ?? '', term] as const)];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: metadataOf(rule),
    spec: {
      failurePolicy: options.failurePolicy ?? (translated.searches ? 'Ignore' : 'Fail'),
      matchConstraints: {
        matchPolicy: 'Equivalent',
        resourceRules: resourceRules(translated),
        ...(translated.targets.some(({ group }) => group === '*') && { excludeResourceRules: NOISE }),
      },
      matchConditions: matchConditions(translated, options.controllers),
      variables: named.map(([name, term]) => ({ name, expression: expressionOf(term) })),
      validations: names.map((name) => ({
        expression: `variables.${name} == ""`,
        message: oneLine(`${rule.id}: ${rule.title}. ${rule.fix}`),
        messageExpression: messageOf(rule, name),
        reason: 'Forbidden',
      })),
      auditAnnotations: names.map((name) => ({ key: name, valueExpression: `variables.${name}` })),
    },
  };
}

export function bindingOf(rule: Rule, { actions, namespaceSelector }: PolicyOptions): ValidatingAdmissionPolicyBinding {
  const metadata = metadataOf(rule);
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata.name, validationActions: [...actions(rule)], matchResources: { namespaceSelector } },
  };
}

function metadataOf(rule: Rule): Metadata {
  return {
    name: `bylaw-${rule.id.toLowerCase()}`,
    labels: {
      'app.kubernetes.io/managed-by': 'bylaw',
      'bylaw.dev/rule': rule.id,
      'bylaw.dev/category': rule.category,
      'bylaw.dev/severity': rule.severity.toLowerCase(),
    },
    annotations: { 'bylaw.dev/title': oneLine(rule.title) },
  };
}

/** Written every few seconds by every node, and nothing that a rule for all kinds is about. */
const NOISE: ResourceRule[] = [
  { apiGroups: ['coordination.k8s.io'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['leases'] },
  { apiGroups: ['', 'events.k8s.io'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['events'] },
];

/** The API server shows at most 5 KiB, and no message of several lines. */
const LONGEST = 500;

function messageOf(rule: Rule, name: string): string {
  const text = `variables.${name}`;
  const cut = `(size(${text}) > ${LONGEST} ? ${text}.substring(0, ${LONGEST - 1}) + "…" : ${text})`;
  return `${JSON.stringify(`${rule.id}: `)} + ${cut}.replace("\\n", " ") + ${JSON.stringify(oneLine(`. ${rule.fix}`))}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trimEnd();
}
