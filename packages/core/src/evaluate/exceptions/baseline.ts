import { BylawError } from '../../errors.js';
import type { Finding } from '../findings/finding.js';

/**
 * A baseline file: the findings of a project on the day it was written, so that only new ones count from then on.
 * `{ "version": 1, "findings": [[rule, kind, namespace, name, path], …] }`, sorted, one finding a line.
 */
const VERSION = 1;

/**
 * Reads a baseline.
 * @returns the keys to give to `EvaluationRequest.baseline`
 * @throws {BylawError} `baseline-invalid`
 */
export function readBaseline(file: string, text: string): ReadonlySet<string> {
  const invalid = (why: string) =>
    new BylawError('baseline-invalid', `The baseline ${file} ${why}.`, {
      location: { file, line: 1, column: 1 },
      hint: 'Write it again with `bylaw evaluate --write-baseline`.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('is not valid JSON');
  }
  if (value === null || typeof value !== 'object' || !('version' in value) || !('findings' in value))
    throw invalid('does not have the members `version` and `findings`');
  if (value.version !== VERSION) throw invalid('was written by a different version of bylaw');
  if (!Array.isArray(value.findings) || !value.findings.every(isEntry)) throw invalid('contains an invalid entry');
  return new Set(value.findings.map((entry) => JSON.stringify(entry)));
}

/** Writes the keys of findings (see `findingKey`) as a baseline: same keys, same bytes. */
export function writeBaseline(keys: Iterable<string>): string {
  const lines = [...new Set(keys)].sort();
  return `{"version":${VERSION},"findings":[\n${lines.join(',\n')}\n]}\n`;
}

/** Whether a finding belongs into a baseline: what fails, and what an older baseline covers already. */
export function belongsInBaseline(finding: Finding): boolean {
  return finding.status === 'fail' || finding.suppression?.source === 'baseline';
}

function isEntry(entry: unknown): boolean {
  return (
    Array.isArray(entry) && entry.length === 5 && entry.every((part, index) => typeof part === 'string' || (index === 2 && part === null))
  );
}
