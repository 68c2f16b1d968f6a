import type { InputError, Location } from '../../errors.js';
import { escapeToken, isObject, pointerBelow, type Resource } from '../../resource/index.js';
import { type Finding, locationIn, type Suppression, type WouldBeSuppressed } from '../findings/finding.js';
import { type AcceptedExceptions, isAccepted } from './accepted-exceptions.js';
import type { ExceptionsFrom } from './exceptions-from.js';
import { matchesGlob } from './glob.js';

/** An exception of the configuration. Globs know `*` (any text) and `?` (one character). */
export interface ConfiguredException {
  /** An identifier, or a category as `CS-*`. */
  rule: string;
  reason: string;
  kind?: string;
  namespace?: string;
  name?: string;
  file?: string;
  /** JSON Pointer prefix. */
  path?: string;
  /** `YYYY-MM-DD`: holds through that day (UTC). */
  expires?: string;
}

/** The exceptions of one run, ready to be asked. */
export interface ExceptionPolicy {
  /** Absent: `all`. */
  from?: ExceptionsFrom;
  configured: readonly ConfiguredException[];
  /** Keys of known findings, see `findingKey`. */
  baseline: ReadonlySet<string>;
  /** What a change adds to the configuration that is in force: it does not count yet. */
  unmerged?: Pick<ExceptionPolicy, 'configured' | 'baseline'>;
  /** The exceptions in manifests that count; absent: all of them. */
  accepted?: AcceptedExceptions;
  /** The day of the run, `YYYY-MM-DD` (UTC), from the injected clock. */
  today: string;
}

export const NO_EXCEPTIONS: ExceptionPolicy = { configured: [], baseline: new Set(), today: '0000-00-00' };

/** The annotation that holds exceptions on the object: `CS-001=reason`, several separated by `;`. */
export const IGNORE_ANNOTATION = 'bylaw.dev/ignore';

/** The exceptions that a resource itself declares, and an error for each one that does not give a reason. */
export interface OwnExceptions {
  annotations: ReadonlyMap<string, string>;
  errors: InputError[];
}

export const NO_OWN_EXCEPTIONS: OwnExceptions = { annotations: new Map(), errors: [] };

/** Reads the annotation and the comments of a resource. */
export function ownExceptions(resource: Resource): OwnExceptions {
  const annotations = new Map<string, string>();
  const errors: InputError[] = [];
  const refuse = (ruleId: string, what: string, location: Location | null) =>
    errors.push({
      code: 'exception-without-reason',
      message: `The ${what} for ${ruleId} has no reason and is ignored. Add the reason for accepting the finding.`,
      location,
    });
  for (const entry of annotationEntries(resource)) {
    if (entry.reason === '')
      refuse(
        entry.ruleId,
        `annotation ${IGNORE_ANNOTATION}`,
        locationIn(resource.source, resource.position(`/metadata/annotations/${escapeToken(IGNORE_ANNOTATION)}`)),
      );
    else annotations.set(entry.ruleId, entry.reason);
  }
  for (const comment of resource.ignoreComments ?? [])
    if (comment.reason === '') refuse(comment.ruleId, 'comment `bylaw:ignore`', locationIn(resource.source, comment.position));
  return { annotations, errors };
}

/** What the exceptions of a run say about a finding. */
export interface ExceptionAnswer {
  suppression?: Suppression;
  /** The exception that covers the finding and does not count in this run. */
  ignored?: WouldBeSuppressed;
  /** A configured exception that covers the finding and has expired. */
  expired?: ConfiguredException;
}

/** The first exception that covers a finding and counts; else what else is known about its exceptions. */
export function suppressionOf(
  finding: Finding,
  key: () => string,
  resource: Resource,
  own: OwnExceptions,
  policy: ExceptionPolicy,
): ExceptionAnswer {
  const { from = 'all', accepted, unmerged } = policy;
  const ignored: WouldBeSuppressed[] = [];
  for (const { suppression, pointer } of inManifest(finding, resource, own)) {
    const counts = accepted === undefined || isAccepted(accepted, resource, suppression.source, finding.rule_id, pointer);
    if (from === 'all' && counts) return { suppression };
    ignored.push({ ...suppression, ignored_because: from === 'all' ? 'policy_from' : 'exceptions_from' });
  }
  const { suppression, expired } = configuredSuppression(finding, key, policy);
  if (suppression && from !== 'none') return { suppression };
  if (suppression) ignored.push({ ...suppression, ignored_because: 'exceptions_from' });
  const later = unmerged && configuredSuppression(finding, key, { ...unmerged, today: policy.today }).suppression;
  if (later) ignored.push({ ...later, ignored_because: from === 'none' ? 'exceptions_from' : 'policy_from' });
  const [first] = ignored;
  const told = ignored.find(({ ignored_because: why }) => why === 'policy_from') ?? first;
  return { ...(told && { ignored: told }), ...(expired && { expired }) };
}

/** The annotation and the comments that cover a finding, with the place that each covers. */
function inManifest(finding: Finding, resource: Resource, own: OwnExceptions): { suppression: Suppression; pointer: string }[] {
  const annotated = own.annotations.get(finding.rule_id);
  const comments = resource.ignoreComments?.filter(
    ({ ruleId, reason, pointer }) => ruleId === finding.rule_id && reason !== '' && pointerBelow(pointer, finding.path) !== undefined,
  );
  return [
    ...(annotated === undefined ? [] : [{ suppression: { source: 'annotation' as const, reason: annotated }, pointer: '' }]),
    ...(comments ?? []).map(({ reason, pointer }) => ({ suppression: { source: 'comment' as const, reason }, pointer })),
  ];
}

function configuredSuppression(
  finding: Finding,
  key: () => string,
  { configured, baseline, today }: Pick<ExceptionPolicy, 'configured' | 'baseline' | 'today'>,
): { suppression?: Suppression; expired?: ConfiguredException } {
  const matching = configured.filter((exception) => covers(exception, finding));
  const valid = matching.find((exception) => exception.expires === undefined || today <= exception.expires);
  if (valid)
    return { suppression: { source: 'config', reason: valid.reason, ...(valid.expires !== undefined && { expires: valid.expires }) } };
  if (baseline.size > 0 && baseline.has(key()))
    return { suppression: { source: 'baseline', reason: 'known when the baseline was written' } };
  const expired = matching[0];
  return expired ? { expired } : {};
}

function annotationEntries(resource: Resource): { ruleId: string; reason: string }[] {
  const metadata = resource.object['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const text = isObject(annotations) && Object.hasOwn(annotations, IGNORE_ANNOTATION) ? annotations[IGNORE_ANNOTATION] : undefined;
  if (typeof text !== 'string') return [];
  return text
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const equals = entry.indexOf('=');
      return equals < 0 ? { ruleId: entry, reason: '' } : { ruleId: entry.slice(0, equals).trim(), reason: entry.slice(equals + 1).trim() };
    });
}

function covers(exception: ConfiguredException, finding: Finding): boolean {
  return (
    (exception.rule === finding.rule_id || exception.rule === `${finding.category}-*`) &&
    glob(exception.kind, finding.resource.kind) &&
    glob(exception.namespace, finding.resource.namespace ?? '') &&
    glob(exception.name, finding.resource.name) &&
    glob(exception.file, finding.location?.file ?? '') &&
    (exception.path === undefined || pointerBelow(exception.path, finding.path) !== undefined)
  );
}

function glob(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || matchesGlob(pattern, text);
}
