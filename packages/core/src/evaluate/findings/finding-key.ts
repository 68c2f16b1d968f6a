import type { Resource } from '../../resource/index.js';
import type { Finding } from './finding.js';
import { stablePath } from './stable-path.js';

/**
 * The identity of a finding from one version of an input to the next: rule, object and place, with named list items instead of
 * indexes. It does not depend on the file, the line, the API version or the message.
 */
export function findingKey(finding: Finding, resource: Pick<Resource, 'object'>): string {
  const { kind, namespace, name } = finding.resource;
  return JSON.stringify([finding.rule_id, kind, namespace, name, stablePath(resource.object, finding.path)]);
}
