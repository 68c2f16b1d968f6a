import type { SQLOutputValue } from 'node:sqlite';
import { SEVERITIES } from '../rule/index.js';
import type { RecordedRun, ScopeSketch, ScoredRule } from '../score/index.js';

/** A row as SQLite gives it. */
type Row = Record<string, SQLOutputValue>;

/** What of a run is read when it is looked at first. */
interface Details {
  rules(id: string): readonly ScoredRule[];
  scope(id: string): ScopeSketch;
}

export function runOf(row: Row, details: Details): RecordedRun {
  const id = textColumn(row.id);
  let rules: readonly ScoredRule[] | undefined;
  let scope: ScopeSketch | undefined;
  return {
    id,
    recordedAt: textColumn(row.recorded_at),
    project: textColumn(row.project),
    ref: textColumn(row.ref),
    commit: textColumn(row.commit_sha),
    source: textColumn(row.source),
    catalogueVersion: textColumn(row.catalogue_version),
    catalogueSha: textColumn(row.catalogue_sha),
    resources: Number(row.resources),
    found: Number(row.found),
    unchecked: Number(row.unchecked),
    errors: Number(row.errors),
    get rules() {
      rules ??= details.rules(id);
      return rules;
    },
    get scope() {
      scope ??= details.scope(id);
      return scope;
    },
  };
}

export function scopeOf({ scope_sha, scope_hashes, scope_complete }: Row): ScopeSketch {
  const hashes = scope_hashes instanceof Uint8Array ? bytesToHashes(scope_hashes) : [];
  return { sha: textColumn(scope_sha), hashes, complete: Number(scope_complete) === 1 };
}

export function ruleOf(row: Row): ScoredRule {
  return {
    rule_id: textColumn(row.rule_id),
    category: textColumn(row.category),
    severity: SEVERITIES.find((severity) => severity === row.severity) ?? 'INFO',
    applicable: Number(row.evaluated),
    failed: Number(row.failed),
    waived: Number(row.waived),
    unknown: Number(row.unknown),
  };
}

export function textColumn(value: SQLOutputValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Six bytes each, the most significant first. */
export function hashesToBytes(hashes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(hashes.length * 6);
  for (const [index, hash] of hashes.entries()) bytes.writeUIntBE(hash, index * 6, 6);
  return bytes;
}

function bytesToHashes(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(buffer.length / 6) }, (_, index) => buffer.readUIntBE(index * 6, 6));
}
