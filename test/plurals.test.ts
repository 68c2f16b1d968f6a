import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** What texts count. */
const COUNTED = [
  ...['adapters', 'anomalies', 'approvals', 'arguments', 'buckets', 'bytes', 'categories', 'characters', 'checks', 'columns', 'containers'],
  ...['controls', 'costs', 'days', 'decisions', 'denials', 'documents', 'elements', 'errors', 'events', 'examples', 'exceptions', 'fields'],
  ...[
    'files',
    'findings',
    'frameworks',
    'groups',
    'hours',
    'identifiers',
    'instances',
    'items',
    'keys',
    'kinds',
    'levels',
    'lines',
    'loops',
  ],
  ...[
    'members',
    'minutes',
    'months',
    'namespaces',
    'nodes',
    'objects',
    'others',
    'packages',
    'periods',
    'places',
    'plugins',
    'pods',
    'points',
  ],
  ...[
    'policies',
    'records',
    'regions',
    'replicas',
    'requests',
    'resources',
    'rows',
    'rules',
    'runs',
    'samples',
    'seconds',
    'shapes',
    'steps',
  ],
  ...['tests', 'values', 'verdicts', 'warnings'],
].join('|');

/** A value of the program, perhaps an adjective, and a plural. The words of `plural()` are texts of their own, so they are not behind a value. */
const VALUE_AND_PLURAL = new RegExp(`\\$\\{([^{}]+)\\} (?:(?!(?:has|have|holds|in|of|once|with|without) )[a-z-]+ )?(?:${COUNTED})\\b`, 'g');

/** Limits that are written down, all of them above 1. */
const LIMIT = /^(?:[A-Z][A-Z_]+|[A-Z]+\.\w+)(?:\.toLocaleString\('en'\))?$/;

describe('a text that counts', () => {
  it('says `1 error`, not `1 errors`: it counts with plural() of the core', () => {
    const files = globSync('{packages/*/src,scripts,bin}/**/*.{ts,js}').filter((file) => !/\.test[.-]|vendor/.test(file));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(VALUE_AND_PLURAL)]
        .filter(([, value = '']) => !LIMIT.test(value))
        .map(([text]) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});
