import type { Resource } from '../resource/index.js';
import type { Rule } from '../rule/index.js';
import type { Finding } from './finding.js';
import type { Subject } from './subject.js';

/** A finding on a subject; its place is looked for. */
export function newFinding(
  rule: Rule,
  { resource, identity }: Pick<Subject, 'resource' | 'identity'>,
  status: Finding['status'],
  path: string,
  message: string,
): Finding {
  const { source } = resource;
  return {
    rule_id: rule.id,
    category: rule.category,
    severity: rule.severity,
    title: rule.title,
    status,
    resource: identity,
    location: source.line === 0 ? null : located(resource, path),
    path,
    message,
    fix: rule.fix,
    frameworks: rule.frameworks,
  };
}

function located(resource: Resource, path: string): Finding['location'] {
  const { file, rendered } = resource.source;
  const { line, column } = resource.position(path);
  return rendered === undefined ? { file, line, column } : { file, line, column, rendered_from: rendered };
}
