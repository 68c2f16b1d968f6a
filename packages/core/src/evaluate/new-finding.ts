import type { Rule } from '../rule/index.js';
import type { Finding } from './finding.js';
import { locationIn } from './location-in.js';
import type { Subject } from './subject.js';

/** A finding on a subject; its place is looked for. */
export function newFinding(
  rule: Rule,
  { resource, identity }: Pick<Subject, 'resource' | 'identity'>,
  status: Finding['status'],
  path: string,
  message: string,
): Finding {
  return {
    rule_id: rule.id,
    category: rule.category,
    severity: rule.severity,
    title: rule.title,
    status,
    resource: identity,
    location: locationIn(resource.source, resource.position(path)),
    path,
    message,
    fix: rule.fix,
    frameworks: rule.frameworks,
  };
}
