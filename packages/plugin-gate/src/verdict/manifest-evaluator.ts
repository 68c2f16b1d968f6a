import type { Engine, Finding, Summary } from '@bylaw/core/evaluate';
import type { Services } from '@bylaw/core/plugin';
import { type Catalogue, resolveSettings } from '@bylaw/core/rule';
import { canonical, type JsonObject, sha256Hex } from '../json/index.js';
import type { ManifestEvaluator } from './check-input.js';
import type { FilledEnvelope } from './defaults.js';

/**
 * The evaluator of manifests over the rule engine: every rule of the catalogue, with the configured settings of the packs.
 * Exceptions count for nothing here, neither those of the configuration, which end on a day, nor those that the manifests
 * bring: who proposes may not excuse himself. A manifest that cannot be read is a finding, and makes the score 0; one that no rule covers is counted, and
 * where there is nothing else there is no score. A rule that cannot be decided leaves it incomplete, except for
 * a reference to an object that is not in the proposal.
 */
export function manifestEvaluator(
  services: Pick<Services, 'engine' | 'catalogue'> & { config: { packs: Services['config']['packs'] } },
): ManifestEvaluator {
  const { engine, catalogue, config } = services;
  let digest: string | undefined;
  return async (manifests) => {
    digest ??= catalogueDigest(catalogue, config.packs);
    const { findings, errors, score, unchecked, undecided } = await evaluated(engine, manifests, config.packs);
    // The readers pass over null, which is an empty document in a file.
    for (const manifest of manifests) if (manifest === null) errors.push('not-a-resource');
    const rules = [...new Set(findings.map(({ rule_id }) => rule_id))].sort();
    const broken = findings.some(({ status }) => status === 'error');
    const governance = {
      catalogue_digest: digest,
      score: errors.length > 0 ? 0 : score,
      rules,
      unchecked: unchecked.reduce((sum, { count }) => sum + count, 0),
      incomplete: errors.length > 0 || broken || undecided,
    };
    return {
      governance,
      findings: [...errors.map(notEvaluated), ...findings.map(findingForPolicies)],
      unchecked_kinds: unchecked.map((kind) => ({ ...kind })),
    };
  };
}

/** `sha256:` over all that decides what the rules say: the rules themselves, the constants of their packs, and the settings in force. */
export function catalogueDigest(catalogue: Catalogue, packs: Services['config']['packs']): string {
  const constants = Object.fromEntries(catalogue.packs.map((pack) => [pack.name, pack.constants]));
  const content = { rules: catalogue.rules, constants, settings: resolveSettings(catalogue, packs) };
  // Rules hold optional members that are undefined, which JSON leaves out.
  return `sha256:${sha256Hex(canonical(JSON.parse(JSON.stringify(content)) as JsonObject))}`;
}

async function evaluated(
  engine: Engine,
  manifests: readonly unknown[],
  packSettings: Services['config']['packs'],
): Promise<{ findings: Finding[]; errors: string[]; score: number | null; unchecked: Summary['unchecked']; undecided: boolean }> {
  const findings: Finding[] = [];
  const request = { inputs: [{ file: 'manifests', values: manifests }], packSettings, threads: 0 };
  for await (const event of engine.evaluate(request)) {
    if (event.type === 'findings') findings.push(...event.batch.findings());
    else {
      // An exception without a reason is not honoured here, and neither are the others.
      const errors = event.errors.filter(({ code }) => code !== 'exception-without-reason').map(({ code }) => code);
      const { score, summary } = event;
      return {
        findings,
        errors,
        score: score.score_without_waivers,
        unchecked: summary.unchecked,
        // A proposal never holds all that is in the cluster: what it refers to may be there.
        undecided: event.undecided?.some(({ reason }) => reason !== 'outside-input') ?? false,
      };
    }
  }
  throw new Error('an evaluation ended without its final event');
}

/** What policies see of a finding: the members that `VARIABLES` names. */
function findingForPolicies({ rule_id, category, severity, title, status, resource, path, message, fix, frameworks }: Finding): JsonObject {
  return {
    rule_id,
    category,
    severity,
    title,
    status: status === 'suppressed' ? 'fail' : status,
    resource: { ...resource },
    path,
    message,
    fix,
    frameworks,
  };
}

/** The code of core's error stands where a rule has its identifier. */
function notEvaluated(code: string): JsonObject {
  const message = 'A manifest could not be evaluated.';
  return {
    rule_id: code,
    category: '',
    severity: 'CRITICAL',
    title: message,
    status: 'error',
    resource: { api_version: '', kind: '', namespace: null, name: '' },
    path: '',
    message,
    fix: 'Pass each manifest as one Kubernetes object with apiVersion and kind.',
    frameworks: [],
  };
}

export type EvaluatedManifests = Awaited<ReturnType<ManifestEvaluator>>;

/**
 * What the rule engine says of `action.parameters.manifests`; undefined where there is none. One object counts as a list of
 * one, and so does anything else that is there: it cannot be evaluated, and that must not look like nothing to evaluate.
 */
export async function evaluateManifests(
  { proposal }: FilledEnvelope,
  evaluator: ManifestEvaluator,
): Promise<EvaluatedManifests | undefined> {
  const manifests = proposal.action.parameters?.['manifests'];
  if (manifests === undefined || (Array.isArray(manifests) && manifests.length === 0)) return undefined;
  return evaluator(Array.isArray(manifests) ? manifests : [manifests]);
}
