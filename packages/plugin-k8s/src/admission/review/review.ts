import type { EvaluatedObject, Finding, ObjectEvaluator } from '@bylaw/core/evaluate';
import { SEVERITIES } from '@bylaw/core/rule';
import type { Mode, WebhookConfig } from '../../config/webhook-section.js';
import type { AdmissionRequest } from './admission-review.js';
import { answered, type Review, type ReviewFacts } from './answered.js';
import { type Classified, classify } from './classify.js';
import { denialText } from './denial.js';
import { modeOf } from './namespaces.js';
import { notEvaluated } from './not-evaluated.js';
import { scopeOf } from './scope.js';
import { warningsOf } from './warnings.js';

/** What a review depends on in addition to the request. */
export interface Reviewer {
  evaluator: ObjectEvaluator;
  settings: WebhookConfig;
}

/**
 * Answers a request. The same request, rules and day give the same answer.
 * @param asked the mode that the address of the webhook names; it wins over the configuration
 */
export function review(request: AdmissionRequest, asked: Mode | undefined, { evaluator, settings }: Reviewer): Review {
  const mode = asked ?? modeOf(request.namespace, settings);
  const scope = scopeOf(request, settings);
  if ('skipped' in scope) return answered(request, mode, { decision: 'allowed', skipped: scope.skipped });
  // The API server names a Namespace as its own namespace.
  const namespace = request.kind === 'Namespace' || request.namespace === '' ? undefined : request.namespace;
  const now = evaluator.evaluate(scope.object, namespace);
  const unreadable = now.errors.find(({ code }) => !HARMLESS.has(code));
  if (unreadable) return notEvaluated(request, unreadable.message, mode, settings);
  const old = scope.old && now.findings.length > 0 ? evaluator.evaluate(scope.old, namespace) : undefined;
  return ruled(request, mode, classify(now, old, settings), now);
}

/** Errors about a part of an object, beside which all the rest of it was evaluated. API servers let no built-in kind have malformed fields. */
const HARMLESS: ReadonlySet<string> = new Set(['malformed', 'exception-without-reason']);

function ruled(request: AdmissionRequest, mode: Mode, classified: Classified, { errors, unchecked }: EvaluatedObject): Review {
  const { denying, warning } = classified;
  const denied = mode === 'enforce' && denying.length > 0;
  const others = [
    ...errors.map(({ message }) => message),
    ...unchecked.map((kind) => `No rule covers ${kind}: this object was not checked.`),
  ];
  const warnings = mode === 'audit' ? [] : warningsOf(denied ? warning : [...denying, ...warning], others);
  const decision = denied ? 'denied' : warnings.length > 0 ? 'warned' : 'allowed';
  const status = denied && { status: { code: 403, reason: 'Forbidden', message: denialText(denying, request.kind) } };
  const facts = { ...factsOf(classified), ...(unchecked.length > 0 && { unchecked: unchecked.join(' ') }) };
  return answered(request, mode, { decision, ...facts }, { ...status, warnings });
}

function factsOf({ denying, warning, minor, known, suppressed }: Classified): Omit<ReviewFacts, 'decision'> {
  const findings = [...denying, ...warning, ...minor];
  return {
    ...(findings.length > 0 && { findings: countsText(findings) }),
    ...(denying.length > 0 && { rules: rulesText(denying) }),
    ...(known > 0 && { known }),
    ...(suppressed > 0 && { suppressed }),
  };
}

function countsText(findings: readonly Finding[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count > 0 ? [`${severity}=${count}`] : [];
  }).join(' ');
}

/** Most rules that a log names. */
const MAX_NAMED = 20;

function rulesText(findings: readonly Finding[]): string {
  const rules = [...new Set(findings.map(({ rule_id }) => rule_id))];
  const more = rules.length - MAX_NAMED;
  return `${rules.slice(0, MAX_NAMED).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}
