import type { JsonObject, JsonValue } from '../resource/text/json.js';

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The 15 categories of the catalogue. They are always known, whether or not their pack is installed. */
export const CATEGORIES = {
  CS: 'Container security',
  SP: 'Secrets',
  NS: 'Network',
  AC: 'Access control',
  SC: 'Supply chain',
  CH: 'Cluster hardening',
  RL: 'Reliability',
  RM: 'Resource management',
  ST: 'Storage and backup',
  OP: 'Operations',
  FO: 'FinOps',
  CB: 'Carbon',
  AWS: 'Amazon Web Services',
  AZ: 'Microsoft Azure',
  GCP: 'Google Cloud',
} as const;

/** The package that holds the rules of each category. */
export const CATEGORY_PACKAGES: { readonly [category in keyof typeof CATEGORIES]: string } = {
  CS: '@bylaw/plugin-k8s',
  SP: '@bylaw/plugin-k8s',
  NS: '@bylaw/plugin-k8s',
  AC: '@bylaw/plugin-k8s',
  SC: '@bylaw/plugin-k8s',
  CH: '@bylaw/plugin-k8s',
  RL: '@bylaw/plugin-k8s',
  RM: '@bylaw/plugin-k8s',
  ST: '@bylaw/plugin-k8s',
  OP: '@bylaw/plugin-k8s',
  FO: '@bylaw/plugin-finops',
  CB: '@bylaw/plugin-carbon',
  AWS: '@bylaw/plugin-cloud',
  AZ: '@bylaw/plugin-cloud',
  GCP: '@bylaw/plugin-cloud',
};

/** What a rule decides about one group of targets. */
export interface RuleLogic {
  /** `PodSpec`, `Kind`, `group/Kind`, `group/*`, `*` or a Terraform type; ` +set` after it when the rule needs the whole set. */
  targets: string[];
  /** A container list (`anyContainer`, `containers`, …) or a CEL list, or the first and then, for each container, the second. */
  each?: string | [string, string];
  /** CEL: where false the rule is not applicable. */
  when?: string;
  /** CEL: true passes. */
  expression: string;
  /** JSON Pointer of the finding, relative to the item, else to the Pod or pod template, else to the object. */
  path?: string;
  /** CEL: the line, from 1, of the text at the place of the finding that holds the fault; 0 = the finding is about all of it. */
  line?: string;
  /** CEL string for the finding; absent = the title. */
  message?: string;
  /** Other rules that may be the cause of a failure, the likeliest first. */
  caused_by?: RuleCause[];
  /** The safe, local fix, relative to the same place as `path`. */
  edit?: RuleEdit;
}

/**
 * Rules that may be the cause of a failure: where one of them fails on the same thing, on what holds it or on a part of it, this failure goes away with
 * its fix, or cannot be fixed before it.
 */
export interface RuleCause {
  rules: string[];
  /** CEL in the scope of the rule: where false, they are not the cause. */
  when?: string;
}

/** Changes of one object that fix a finding. They are made in this order; what is so already is left as it is. */
export interface RuleEdit {
  /** CEL in the scope of the rule: where false, the change is not safe and is not made. */
  when?: string;
  /** What to test after the change, because it can stop a workload from starting or from working. Such a change is made by `--fix-unsafe` only. */
  test_after?: string;
  /** Values of members; missing mappings on the way are made, and a mapping is merged into one that is there. */
  set?: { [pointer: string]: JsonValue };
  /** Items that lists must hold; a missing list is made. */
  add?: { [pointer: string]: JsonValue[] };
  /** Members to take out. */
  remove?: string[];
}

export interface RuleExample {
  /** Objects of one input: a manifest, or a list of them for a rule that looks at the set. */
  fail?: JsonObject | JsonObject[];
  pass?: JsonObject | JsonObject[];
  /** The rule says nothing: its targets are not met, or `when` is false. */
  skip?: JsonObject | JsonObject[];
  /** Something that decides is not known. */
  undecided?: JsonObject | JsonObject[];
  /** Whether the objects are assumed to be all that is in the cluster. */
  complete?: boolean;
  /** What this example shows, for its reader. */
  note?: string;
  /** What a failing example must report; absent members are not compared. A list when it reports more than one. */
  finding?: ExpectedFinding | ExpectedFinding[];
  /** Settings of the pack for this example. */
  config?: JsonObject;
  /** The file name the example pretends to come from. */
  file?: string;
  /** The example pretends to come from a cluster. */
  live?: boolean;
}

export interface ExpectedFinding {
  path?: string;
  message?: string;
  resource?: string;
}

export interface Rule {
  /** `<CATEGORY>-<NNN>`. */
  id: string;
  category: string;
  severity: Severity;
  title: string;
  description: string;
  /** Union over `logic`, with ` +set` as written. */
  targets: string[];
  /** It checks something that every object has: it does not make a kind one that rules check. */
  generic?: boolean;
  /** Projections of partner kinds that a `+set` rule reads: kind → JSON Pointers. */
  set?: { [kind: string]: string[] };
  logic: RuleLogic[];
  fix: string;
  frameworks: string[];
  references: string[];
  peers: string[];
}

/** A rule with what only its readers and its tests need. */
export interface RuleDetail extends Rule {
  examples: RuleExample[];
}

/** Identifiers of the rules that may be the cause of a failure of a rule, each once. */
export function causesOf({ logic }: Pick<Rule, 'logic'>): string[] {
  return [...new Set(logic.flatMap(({ caused_by: causes = [] }) => causes.flatMap(({ rules }) => rules)))];
}

/** Whether a rule declares an edit. */
export function isFixable(rule: Rule): boolean {
  return rule.logic.some(({ edit }) => edit !== undefined);
}

/** Whether every edit that a rule declares can stop a workload, so that only `--fix-unsafe` makes it. */
export function isFixedUnsafelyOnly(rule: Rule): boolean {
  const edits = rule.logic.flatMap(({ edit }) => edit ?? []);
  return edits.length > 0 && edits.every(({ test_after }) => test_after !== undefined);
}

/** What to test after the edits of a rule, each sentence once. */
export function testsAfter(rule: Rule): string[] {
  return [...new Set(rule.logic.flatMap(({ edit }) => edit?.test_after ?? []))];
}
