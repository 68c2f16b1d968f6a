import { join } from 'node:path';
import { type EvaluationFlags, evaluationFromFlags } from '@bylaw/core/command/evaluation';
import { print, printJson, writeFileWhole } from '@bylaw/core/command/output';
import { select } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';
import { webhookConfigOf } from '../config/webhook-section.js';
import { k8sError } from '../error-table.js';
import {
  actionsFor,
  EXEMPT_SYSTEM,
  type ExportedRule,
  exportPolicies,
  type MODES,
  type PolicyExport,
  parseLabelSelector,
} from '../export/vap/index.js';
import { isFolder, makeFolder } from './output-folder.js';
import { yamlOf } from './print-manifests.js';

export interface ExportVapFlags extends Pick<EvaluationFlags, 'category' | 'severity' | 'rule' | 'framework'> {
  mode?: (typeof MODES)[number] | undefined;
  'failure-policy'?: 'Fail' | 'Ignore' | undefined;
  'namespace-selector'?: string | undefined;
  output?: string | undefined;
  strict: boolean;
  json: boolean;
}

/** Prints the policies of the selected rules, and tells which rules do not have one. */
export async function exportVapCommand(flags: ExportVapFlags, installation: Installation): Promise<void> {
  const result = await policiesOf(flags, installation);
  refuse(result, flags.strict);
  if (flags.output !== undefined) await writePolicies(result.policies, flags.output);
  else if (!flags.json) await print(yamlOf(result.policies.flatMap(objectsOf)));
  if (flags.json) await printJson(result);
  else process.stderr.write(skippedText(result));
}

async function policiesOf(flags: ExportVapFlags, installation: Installation): Promise<PolicyExport> {
  const namespaceSelector = flags['namespace-selector'] === undefined ? EXEMPT_SYSTEM : parseLabelSelector(flags['namespace-selector']);
  const { filter, packSettings = {} } = await evaluationFromFlags(flags, installation.loaded);
  const catalogue = await installation.catalogue();
  const webhook = webhookConfigOf(installation.loaded.config);
  return exportPolicies(select(catalogue, filter), catalogue, packSettings, {
    actions: actionsFor(flags.mode, webhook),
    failurePolicy: flags['failure-policy'],
    namespaceSelector,
    controllers: webhook.judge_owned ? [] : webhook.controllers,
  });
}

function refuse(result: PolicyExport, strict: boolean): void {
  const { policies } = result;
  const missing = [...skippedLines(result), ...omittedLines(result)];
  if (policies.length > 0 && (missing.length === 0 || !strict)) return;
  const message =
    policies.length === 0
      ? 'None of the selected rules can be exported as a policy.'
      : 'Some of the selected rules cannot be fully exported as policies.';
  const hint = policies.length === 0 ? 'Select different rules.' : 'Remove --strict to export what is possible.';
  throw k8sError('no-policy', [message, ...missing].join('\n  '), { hint });
}

/** Into a folder one file for each rule, else all into one file. */
async function writePolicies(policies: readonly ExportedRule[], output: string): Promise<void> {
  if (!isFolder(output)) {
    await writeFileWhole(output, async (out) => out.write(yamlOf(policies.flatMap(objectsOf))));
    return;
  }
  await makeFolder(output);
  for (const one of policies)
    await writeFileWhole(join(output, `${one.policy.metadata.name}.yaml`), async (out) => out.write(yamlOf(objectsOf(one))));
}

function objectsOf({ policy, binding }: ExportedRule): object[] {
  return [policy, binding];
}

function skippedText(result: PolicyExport): string {
  const [skipped, omitted] = [skippedLines(result), omittedLines(result)];
  const total = result.policies.length + skipped.length;
  const parts = [
    ...(skipped.length > 0 ? [`No policy for ${skipped.length} of ${plural(total, 'rule')}:`, ...skipped.map((line) => `  ${line}`)] : []),
    ...(omitted.length > 0 ? ['Parts of rules that their policies do not cover:', ...omitted.map((line) => `  ${line}`)] : []),
  ];
  return parts.map((line) => `${printable(line)}\n`).join('');
}

function skippedLines({ skipped }: PolicyExport): string[] {
  return skipped.map(({ rule, message }) => `${rule} ${message}`);
}

function omittedLines({ policies }: PolicyExport): string[] {
  return policies.flatMap(({ rule, omitted }) => omitted.map(({ targets, message }) => `${rule}, for ${targets.join(', ')}: ${message}`));
}
