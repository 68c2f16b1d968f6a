import { describe, expect, it } from 'vitest';
import { caveatsOf, eachBatch } from './index.js';
import { EVERYTHING, eventsAt, finding, type Run, run } from './testing/run.test-support.js';

const caveatsOfRun = async (of: Run) => caveatsOf(await eachBatch(eventsAt(of), () => undefined));

describe('the caveats of a run', () => {
  it('are empty if everything was read and checked', async () => {
    expect(await caveatsOfRun(run([finding('CS-001')]))).toEqual([]);
  });

  it('are the errors with their places, and the rules that failed', async () => {
    expect(await caveatsOfRun(EVERYTHING)).toEqual([
      { kind: 'error', text: 'broken.yaml:3:7: A tab stands where indentation is expected; use spaces.' },
      { kind: 'error', text: 'There is no file or directory nowhere.' },
      { kind: 'error', text: '1 check could not be evaluated: the rule failed on the resource.' },
      { kind: 'exception', text: 'Suppressed: 1 finding (configuration 1) in pods.yaml 1.' },
    ]);
  });

  it('are what was left out, what no rule covers and what cannot be decided', async () => {
    const open = run([], { notes: [{ code: 'category-not-installed', message: 'No rule of category NS.', count: 1, first: ['NS'] }] });
    open.summary.unchecked = [{ kind: 'ClusterRole', count: 2 }];
    open.summary.undecided = {
      checks: 3,
      reasons: [{ reason: 'unknown-value', message: 'Known after apply.', count: 3 }],
      more_reasons: 0,
    };
    expect(await caveatsOfRun(open)).toEqual([
      { kind: 'note', text: 'No rule of category NS.' },
      { kind: 'unchecked', text: 'Not checked: 2 resources of a kind no rule covers: ClusterRole 2.' },
      { kind: 'undecided', text: 'Undecided: 3 checks: Known after apply.' },
    ]);
  });
});
