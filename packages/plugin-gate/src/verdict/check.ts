import { CanonicalText, type JsonObject, sha256Hex, written } from '../json/index.js';
import type { Bundle } from '../policy/index.js';
import { applyPolicies } from './apply.js';
import type { Checked, CheckInput, ManifestEvaluator } from './check-input.js';
import { combineAndWrite, verdictTextOf } from './combined-text.js';
import { prepare } from './prepare.js';
import type { Verdict } from './verdict.js';

/**
 * The verdict on a proposal: the one decision path of command, server and tool. A pure function of its input, the bundle and
 * the catalogue that evaluates manifests; it reads no clock, draws nothing and writes nothing. The input must have passed
 * `readSubmission`. What leaves it is masked; only policies see the values themselves.
 */
export async function check(input: CheckInput, bundle: Bundle, evaluator: ManifestEvaluator): Promise<Checked> {
  const { envelope, mandate, budget, evaluated, subject, scope } = await prepare(input, bundle, evaluator);
  const masked = bundle.masker.maskSubmission(envelope);
  const texts = { proposal: written(masked.proposal), budget: written(masked.budget), mandate: written(masked.mandate) };
  const combined = combineAndWrite(bundle, applyPolicies(bundle, subject, scope), mandate, budget);
  const verdict: Verdict = {
    ...combined.combined,
    mandate: { status: mandate.status, ...textMember(masked.mandate, 'mandate_id') },
    budget: { status: budget.status, ...textMember(masked.budget, 'budget_id'), ...(masked.budget && { source: 'caller' }) },
    governance: evaluated?.governance ?? null,
    bundle: { id: bundle.id, version: bundle.version, digest: bundle.digest },
    input_digest: `sha256:${inputDigest(texts)}`,
    engine: 'svc-check/1',
  };
  return { verdict, masked, texts: { ...texts, verdict: new CanonicalText(verdictTextOf(combined, verdict)) } };
}

/** Of the canonical text of the masked input. */
function inputDigest({ budget, mandate, proposal }: { [member in 'budget' | 'mandate' | 'proposal']: CanonicalText }): string {
  return sha256Hex(`{"budget":${budget.text},"mandate":${mandate.text},"proposal":${proposal.text}}`);
}

/** As it was masked. */
function textMember<Name extends string>(object: JsonObject | null, name: Name): { [name in Name]?: string } {
  const value = object?.[name];
  return (typeof value === 'string' ? { [name]: value } : {}) as { [name in Name]?: string }; // a computed name is a string to the compiler
}
