import type { Rule } from '../../rule/index.js';
import { type Finding, locationIn } from '../findings/finding.js';
import type { Subject } from './subject.js';

/** Builds a finding on a subject and resolves its source location: `line` is that of the text at `path`, where the finding is about one. */
export function newFinding(
  rule: Rule,
  { resource, identity }: Pick<Subject, 'resource' | 'identity'>,
  status: Finding['status'],
  path: string,
  message: string,
  line?: number,
): Finding {
  return {
    rule_id: rule.id,
    category: rule.category,
    severity: rule.severity,
    title: rule.title,
    status,
    resource: identity,
    location: locationIn(resource.source, resource.position(path, line)),
    path,
    message,
    fix: rule.fix,
    frameworks: rule.frameworks,
  };
}
