import type { JsonObject } from '@bylaw/core/resource';
import { type Catalogue, type Rule, resolveSettings } from '@bylaw/core/rule';
import {
  bindingOf,
  type PolicyOptions,
  policyOf,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
} from './policy.js';
import { NotExportable, type Reason } from './term/not-exportable.js';
import { type TranslatedRule, translateRule } from './translate-rule.js';

/** What of a selection of rules a cluster can evaluate by itself. */
export interface PolicyExport {
  policies: ExportedRule[];
  skipped: SkippedRule[];
}

export interface ExportedRule {
  rule: string;
  policy: ValidatingAdmissionPolicy;
  binding: ValidatingAdmissionPolicyBinding;
  /** Parts of the rule that the policy does not say. */
  omitted: { targets: readonly string[]; reason: Reason; message: string }[];
}

export interface SkippedRule {
  rule: string;
  reason: Reason;
  message: string;
}

/**
 * Turns rules into ValidatingAdmissionPolicies and their bindings, in the order of the rules. Same rules and settings, same result.
 * @param packSettings the settings of packs that differ from their defaults
 */
export function exportPolicies(
  rules: readonly Rule[],
  catalogue: Catalogue,
  packSettings: { [pack: string]: JsonObject },
  options: PolicyOptions,
): PolicyExport {
  const settings = resolveSettings(catalogue, packSettings);
  const result: PolicyExport = { policies: [], skipped: [] };
  for (const rule of rules) {
    const pack = catalogue.packOf(rule.id);
    const translated = attempt(rule, { config: settings[pack?.name ?? ''] ?? {}, constants: pack?.constants ?? {} });
    if (translated instanceof NotExportable) result.skipped.push({ rule: rule.id, reason: translated.reason, message: translated.message });
    else result.policies.push(exported(rule, translated, options));
  }
  return result;
}

function attempt(rule: Rule, settings: { config: JsonObject; constants: JsonObject }): TranslatedRule | NotExportable {
  try {
    return translateRule(rule, settings);
  } catch (error) {
    if (error instanceof NotExportable) return error;
    throw error;
  }
}

function exported(rule: Rule, translated: TranslatedRule, options: PolicyOptions): ExportedRule {
  return {
    rule: rule.id,
    policy: policyOf(rule, translated, options),
    binding: bindingOf(rule, options),
    omitted: translated.omitted.map(({ targets, error }) => ({ targets, reason: error.reason, message: error.message })),
  };
}
