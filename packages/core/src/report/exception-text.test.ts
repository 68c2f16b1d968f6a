import { describe, expect, it } from 'vitest';
import { exceptionTexts } from './exception-text.js';
import { type Format, REPORTERS } from './index.js';
import { finding, reported, run } from './testing/run.test-support.js';

const location = (file: string) => ({ file, line: 1, column: 1 });
const suppressed = (file: string, source: 'annotation' | 'comment' | 'config' | 'baseline') =>
  finding('CS-001', { status: 'suppressed', suppression: { source, reason: 'r' }, location: location(file) });
const ignored = (file: string, ignored_because: 'exceptions_from' | 'policy_from') =>
  finding('CS-001', { would_be_suppressed: { source: 'comment', reason: 'r', ignored_because }, location: location(file) });

const RUN = run([
  suppressed('b.yaml', 'annotation'),
  suppressed('b.yaml', 'config'),
  suppressed('a.yaml', 'config'),
  ignored('c.yaml', 'policy_from'),
  ignored('d\u001b[31m.yaml', 'exceptions_from'),
]);

const TOLD = [
  'Suppressed: 3 findings (annotation 1, configuration 2) in b.yaml 2, a.yaml 1.',
  'Would be suppressed after this change is merged: 1 finding (comment 1) in c.yaml 1.',
];

describe('the exceptions of a run', () => {
  it('are told by kind and file, the most frequent file first', () => {
    expect(exceptionTexts(RUN.summary).slice(0, 2)).toEqual(TOLD);
    const last = exceptionTexts(RUN.summary)[2];
    expect(last).toMatch(/^Would be suppressed if these exceptions counted: 1 finding \(comment 1\) in d.+ 1\.$/);
    expect(last).not.toContain('\u001b');
    expect(exceptionTexts(run([finding('CS-001')]).summary)).toEqual([]);
  });

  it('name five files, and count the rest', () => {
    const many = run(Array.from({ length: 30 }, (_, index) => suppressed(`${String(index).padStart(2, '0')}.yaml`, 'baseline')));
    expect(many.summary.suppressed_by).toMatchObject({ baseline: 30, more_files: 10 });
    expect(exceptionTexts(many.summary)).toEqual([
      'Suppressed: 30 findings (baseline 30) in 00.yaml 1, 01.yaml 1, 02.yaml 1, 03.yaml 1, 04.yaml 1 and 25 more files.',
    ]);
  });

  it('count objects without a file, and name no file for them', () => {
    const scanned = run([finding('CS-001', { status: 'suppressed', suppression: { source: 'annotation', reason: 'r' }, location: null })]);
    expect(exceptionTexts(scanned.summary)).toEqual(['Suppressed: 1 finding (annotation 1).']);
  });

  it.each(['text', 'markdown', 'html', 'github', 'sarif', 'junit'] as const)('are in the format %s', async (format: Format) => {
    const text = (await reported(REPORTERS[format].report, RUN, { width: 200 })).replaceAll('\\', '');
    for (const sentence of TOLD) expect(text).toContain(sentence);
  });

  it('are in the summary of the JSON', async () => {
    const { summary } = JSON.parse(await reported(REPORTERS.json.report, RUN));
    expect(summary.suppressed_by).toEqual({
      annotation: 1,
      comment: 0,
      config: 2,
      baseline: 0,
      files: [
        { file: 'b.yaml', count: 2 },
        { file: 'a.yaml', count: 1 },
      ],
      more_files: 0,
    });
    expect(summary.would_be_suppressed_by).toMatchObject({ policy_from: { comment: 1 }, exceptions_from: { comment: 1 } });
  });
});
