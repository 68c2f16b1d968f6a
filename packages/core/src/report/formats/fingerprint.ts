import { hash } from 'node:crypto';
import type { Finding } from '../../evaluate/index.js';

/**
 * Names a finding across runs: the same while rule, object and place in the object stay, wherever the lines of the file move.
 * 32 hexadecimal digits. `more` tells apart what these alone do not.
 */
export function fingerprint(finding: Finding, ...more: readonly (string | number)[]): string {
  const { kind, namespace, name } = finding.resource;
  return hash('sha256', JSON.stringify([finding.rule_id, kind, namespace, name, finding.path, ...more]), 'hex').slice(0, 32);
}
