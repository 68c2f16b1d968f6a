import type { Rule } from '../../rule/index.js';
import { locationIn } from '../findings/finding.js';
import type { UndecidedCheck } from '../findings/undecided-check.js';
import type { Undecided } from './rule-index.js';
import type { Subject } from './subject.js';

/** An undecided check of a subject: it is located at the cause, else at the value that is not known, else at what the rule is about. */
export function newUndecidedCheck(
  rule: Rule,
  { resource, identity }: Pick<Subject, 'resource' | 'identity'>,
  { unknown, path: about }: Undecided,
): UndecidedCheck {
  const path = 'pointer' in unknown ? unknown.pointer : about;
  const { id, category, severity, title } = rule;
  return {
    rule_id: id,
    category,
    severity,
    title,
    resource: identity,
    location: ('location' in unknown && unknown.location) || locationIn(resource.source, resource.position(path)),
    path,
    reason: unknown.reason,
    message: unknown.message,
  };
}
