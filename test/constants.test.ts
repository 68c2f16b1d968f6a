import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isMap, isScalar, type Pair, parseDocument } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names and paths that programs have had for years, and choices of ours: no release of another project changes them. */
const LASTING = new Set([
  'high_carbon_intensity',
  'audit_secrets',
  'credential_directories',
  'host_paths',
  'non_production',
  'reported_host_paths',
  'socket_names',
]);

/** Months after which a constant must be compared with its source again before a release. */
const MOST_MONTHS = 6;

interface Constant {
  name: string;
  /** Year and month of the last comparison with the source; of a constant without a comment, that of the one before it. */
  asOf: string | undefined;
}

function constantsOf(file: string): Constant[] {
  const constants = parseDocument(readFileSync(file, 'utf8')).get('constants', true);
  if (!isMap(constants)) return [];
  let asOf: string | undefined;
  return constants.items.map((pair, index) => {
    const comment = `${index === 0 ? (constants.commentBefore ?? '') : ''}${commentOf(pair)}`;
    if (comment !== '') asOf = /\b[Aa]s of (\d{4}-\d{2})\b/.exec(comment)?.[1];
    return { name: String(pair.key), asOf };
  });
}

function commentOf({ key }: Pair): string {
  return (isScalar(key) && key.commentBefore) || '';
}

function months(asOf: string): number {
  const [year = 0, month = 0] = asOf.split('-').map(Number);
  return year * 12 + month;
}

describe('the constants of rules that age', () => {
  const constants = globSync('packages/*/rules/pack.yaml', { cwd: root }).flatMap((file) => constantsOf(`${root}${file}`));
  const ageing = constants.filter(({ name }) => !LASTING.has(name));

  it('say when they were last compared with their source', () => {
    expect(ageing.length).toBeGreaterThan(20);
    expect(ageing.filter(({ asOf }) => asOf === undefined)).toEqual([]);
  });

  it(`were compared at most ${MOST_MONTHS} months before the newest of them: who reviews one for a release reviews all`, () => {
    const newest = Math.max(...ageing.map(({ asOf = '' }) => months(asOf)));
    expect(ageing.filter(({ asOf = '' }) => newest - months(asOf) > MOST_MONTHS)).toEqual([]);
  });

  it('are those that there are: none is exempt that is gone', () => {
    const names = new Set(constants.map(({ name }) => name));
    expect([...LASTING].filter((name) => !names.has(name))).toEqual([]);
  });
});
