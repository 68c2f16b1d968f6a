import { newPage } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { diffText } from './diff-text.js';
import type { FixedFinding } from './fix-files.js';
import { fixText } from './fix-text.js';

const page = newPage({ colour: false, width: 80 });

const finding = (rule_id: string, name = 'web'): FixedFinding => ({
  ...{ rule_id, severity: 'HIGH', title: `Title of ${rule_id}`, file: 'a\u001b[31m.yaml', path: '/spec', message: '' },
  resource: { api_version: 'v1', kind: 'Pod', namespace: null, name },
});

const nothing = { fixed: [], unfixed: [], files: 0, unwritten: 0, tests: [], diff: '', diffIsPartial: false, inputs: [] };

describe('the text about fixes', () => {
  it('counts what is mended by rule, and what is not by reason, without the control characters of names', () => {
    const reason = 'the fix might not be safe here: review it and apply it by hand';
    const unfixed = ['a', 'b', 'c', 'd'].map((name) => ({ ...finding('CS-002', name), reason }));
    const outcome = { ...nothing, files: 2, fixed: [finding('CS-002'), finding('CS-001'), finding('CS-001')], unfixed };
    expect(fixText(outcome, page, { dryRun: false, verbose: false })).toMatchInlineSnapshot(`
      "
      Fixed: 3 findings in 2 files

             2  HIGH      CS-001   Title of CS-001
             1  HIGH      CS-002   Title of CS-002

      Not fixed: 4 findings

             4  the fix might not be safe here: review it and apply it by hand
                CS-002 (4)
                a.yaml: Pod a
                a.yaml: Pod b
                a.yaml: Pod c
                … and 1 more resource
      "
    `);
    expect(fixText(outcome, page, { dryRun: true, verbose: true })).toContain('Would be fixed: 3 findings in 2 files');
    expect(fixText(outcome, page, { dryRun: true, verbose: true })).toContain('Pod d');
  });

  it('says what to test after fixes that can stop a workload', () => {
    const tests = [{ rule_id: 'CS-010', test: 'Test that the container starts.' }];
    expect(fixText({ ...nothing, files: 1, fixed: [finding('CS-010')], tests }, page, { dryRun: false, verbose: false })).toContain(
      '\nTest before rollout\n\n  CS-010  Test that the container starts.\n',
    );
  });

  it('is empty where there is nothing to tell', () => {
    expect(fixText(nothing, page, { dryRun: false, verbose: false })).toBe('');
  });
});

describe('a diff', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\u001b[2J\n+b\n';

  it('is left as it is for what applies it', () => {
    expect(diffText(diff, false, { colour: true, width: 80 })).toBe(diff);
  });

  it('moves no cursor of a terminal', () => {
    expect(diffText(diff, true, { colour: false, width: 80 })).not.toContain('\u001b');
    expect(diffText(diff, true, { colour: true, width: 80 })).toContain('\u001b[32m+b\u001b[39m');
  });
});
