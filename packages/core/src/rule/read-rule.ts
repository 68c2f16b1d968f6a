import { BylawError } from '../errors.js';
import { type SchemaCheck, schemaCheck, schemaErrors } from '../schema-check.js';
import { readYamlFile, type YamlFile } from '../yaml-file.js';
import type { RuleDetail, RuleEdit, RuleExample, RuleLogic, Severity } from './rule.js';
import { RULE_SCHEMA } from './schema.js';

/** A rule file as read: the rule, and where each of its parts stands, for the errors of later steps. */
export interface RuleFile {
  file: string;
  yaml: YamlFile;
  rule: RuleDetail;
  /** The path in the file of each entry of `rule.logic`: empty, or `variants/<n>`. */
  logicPaths: (string | number)[][];
}

/** Reads one rule file. Every breach of the schema is an error that names file, line and column; nothing is thrown. */
export function readRule(file: string, text: string): { rule: RuleFile } | { errors: BylawError[] } {
  let yaml: YamlFile;
  try {
    yaml = readYamlFile(file, text, 'rule-schema');
  } catch (error) {
    if (error instanceof BylawError) return { errors: [error] };
    throw error;
  }
  const breaches = check()(yaml.value);
  if (breaches.length > 0) return { errors: schemaErrors(yaml, breaches, 'rule-schema') };
  // The schema has just said that the value has this form.
  return { rule: toRule(file, yaml, yaml.value as RawRule) };
}

interface RawRule extends Omit<Partial<RuleLogic>, 'targets'> {
  id: string;
  severity: Severity;
  title: string;
  description: string;
  targets?: string[];
  variants?: RuleLogic[];
  set?: { [kind: string]: string[] };
  fix: string;
  generic?: boolean;
  frameworks?: string[];
  references?: string[];
  peers?: string[];
  examples: RuleExample[];
  edit?: RuleEdit;
}

let compiled: SchemaCheck | undefined;

function check(): SchemaCheck {
  compiled ??= schemaCheck(RULE_SCHEMA);
  return compiled;
}

function toRule(file: string, yaml: YamlFile, raw: RawRule): RuleFile {
  const logic = raw.variants ?? [pickLogic(raw)];
  const rule: RuleDetail = {
    id: raw.id,
    category: raw.id.slice(0, raw.id.lastIndexOf('-')),
    severity: raw.severity,
    title: raw.title,
    description: raw.description,
    targets: [...new Set(logic.flatMap((one) => one.targets))],
    ...(raw.generic && { generic: true }),
    ...(raw.set && { set: raw.set }),
    logic,
    fix: raw.fix,
    frameworks: raw.frameworks ?? [],
    references: raw.references ?? [],
    peers: raw.peers ?? [],
    examples: raw.examples,
  };
  return { file, yaml, rule, logicPaths: raw.variants ? raw.variants.map((_, index) => ['variants', index]) : [[]] };
}

function pickLogic(raw: RawRule): RuleLogic {
  return {
    targets: raw.targets ?? [],
    ...(raw.each !== undefined && { each: raw.each }),
    ...(raw.when !== undefined && { when: raw.when }),
    expression: raw.expression ?? '',
    ...(raw.path !== undefined && { path: raw.path }),
    ...(raw.line !== undefined && { line: raw.line }),
    ...(raw.message !== undefined && { message: raw.message }),
    ...(raw.caused_by !== undefined && { caused_by: raw.caused_by }),
    ...(raw.edit !== undefined && { edit: raw.edit }),
  };
}
