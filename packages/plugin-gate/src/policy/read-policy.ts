import { CelError, type Evaluator, type Program } from '@bylaw/core/cel';
import type { YamlFile } from '@bylaw/core/yaml-file';
import { type ApprovalNeed, type BundleError, type Effect, type Policy, policyError } from './bundle.js';
import { compileCondition } from './condition.js';
import { compileMatch, type MatchList } from './match.js';
import { readBundleYaml } from './read-yaml.js';
import { POLICY_SCHEMA } from './schemas.js';

/** A file of a policy as its schema describes it. */
interface PolicyFile {
  metadata: { id: string; title: string; controls?: string[] };
  spec: {
    stage?: 'active' | 'draft';
    match?: { [list in MatchList]?: string[] };
    when?: string;
    effect: Effect;
    mandate?: 'required' | 'optional';
    approval?: ApprovalFile;
    obligations?: { type: string }[];
    message: string;
  };
}

export interface ApprovalFile {
  groups: string[];
  quorum?: number;
  ttl_seconds?: number;
  grant_ttl_seconds?: number;
}

/** A policy, what is wrong with it, and what its author should look at. */
export interface ReadPolicy {
  policy?: Policy;
  errors: BundleError[];
  warnings: BundleError[];
}

/**
 * Reads and compiles one policy.
 * @param fallback what an approval needs where the policy does not say it
 */
export function readPolicy(displayPath: string, content: Uint8Array, evaluator: Evaluator, fallback: ApprovalNeed | null): ReadPolicy {
  const read = readBundleYaml(displayPath, content, POLICY_SCHEMA);
  if ('errors' in read) return { errors: read.errors, warnings: [] };
  const { metadata, spec } = read.value as PolicyFile; // so the schema says
  const condition = readCondition(spec.when, read.file, evaluator);
  const errors = [...condition.errors, ...approvalErrors(spec, fallback, read.file)];
  const warnings = [...condition.warnings, ...breadthWarnings(spec, read.file)];
  if (errors.length > 0) return { errors, warnings };
  const approval = spec.approval === undefined ? fallback : approvalNeed(spec.approval);
  const policy: Policy = {
    id: metadata.id,
    title: metadata.title,
    controls: metadata.controls ?? [],
    stage: spec.stage ?? 'active',
    match: compileMatch(spec.match ?? {}),
    when: condition.program,
    effect: spec.effect,
    requiresMandate: spec.mandate === 'required',
    approval: spec.effect === 'require_approval' ? approval : null,
    obligations: (spec.obligations ?? []).map(({ type }) => type),
    message: spec.message,
    location: read.file.locate(['metadata', 'id']),
  };
  return { policy, errors, warnings };
}

/** Defaults: one approver of each group, an hour to decide, a quarter of an hour to act. */
export function approvalNeed({ groups, quorum = 1, ttl_seconds = 3600, grant_ttl_seconds = 900 }: ApprovalFile): ApprovalNeed {
  return { groups: [...groups].sort(), quorum, ttl_seconds, grant_ttl_seconds };
}

function readCondition(
  when: string | undefined,
  file: YamlFile,
  evaluator: Evaluator,
): { program?: Program; errors: BundleError[]; warnings: BundleError[] } {
  if (when === undefined) return { errors: [], warnings: [] };
  const path = ['spec', 'when'];
  try {
    const program = compileCondition(when, evaluator);
    const warnings = program.unguarded.map(({ path: member, offset }) =>
      policyError(
        `\`${member}\` may be missing, and then the policy denies (AG-POL-011). Check \`has(${member})\` first, or select it with \`.?\`.`,
        file.locateOffset(path, offset),
      ),
    );
    return { program, errors: [], warnings };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    const location = error.offset === undefined ? file.locate(path) : file.locateOffset(path, error.offset);
    return { errors: [policyError(`The condition does not compile: ${error.message}.`, location)], warnings: [] };
  }
}

function approvalErrors({ effect, approval }: PolicyFile['spec'], fallback: ApprovalNeed | null, file: YamlFile): BundleError[] {
  if (effect === 'require_approval' && approval === undefined && fallback === null)
    return [
      policyError(
        'No approvers are defined. Add `approval` to the policy, or to bundle.yaml for all policies.',
        file.locate(['spec', 'effect']),
      ),
    ];
  if (effect !== 'require_approval' && approval !== undefined)
    return [policyError('`approval` is valid only with the effect require_approval.', file.locate(['spec', 'approval']))];
  return [];
}

function breadthWarnings({ effect, match, when, stage }: PolicyFile['spec'], file: YamlFile): BundleError[] {
  if (effect !== 'allow' || match !== undefined || when !== undefined || stage === 'draft') return [];
  return [policyError('The policy allows every proposal. Restrict it with `match` or `when`.', file.locate(['spec', 'effect']))];
}
