import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, reported, run, SCAN } from '../testing/run.test-support.js';
import { json } from './json.js';

describe('the JSON report', () => {
  it('holds exactly the run, members in the documented order', async () => {
    const report = JSON.parse(await reported(json, EVERYTHING));
    expect(Object.keys(report)).toEqual(['findings', 'errors', 'notes', 'score', 'summary']);
    expect(report).toEqual({
      findings: EVERYTHING.findings,
      errors: EVERYTHING.errors,
      notes: [],
      score: EVERYTHING.score,
      summary: EVERYTHING.summary,
    });
  });

  it('puts additional members of a run after its summary, and leaves out sentences for people', async () => {
    const written = await reported(json, SCAN);
    expect(Object.keys(JSON.parse(written))).toEqual(['findings', 'errors', 'notes', 'score', 'summary', 'cluster']);
    expect(written).toMatch(/\},\n"cluster": \{"version":"v1\.34\.1","context":"dev"\}\n\}\n$/);
    expect(written).not.toContain('all namespaces');
  });

  it('puts one finding on a line', async () => {
    const lines = (await reported(json, run([finding('CS-001'), finding('CS-002')]))).split('\n');
    expect(lines.slice(0, 2)).toEqual(['{', '"findings": [']);
    expect(JSON.parse((lines[2] ?? '').replace(/,$/, ''))).toEqual(finding('CS-001'));
    expect(JSON.parse(lines[3] ?? '')).toEqual(finding('CS-002'));
    expect(lines[4]).toBe('],');
  });

  it('writes empty lists for a run without findings and errors', async () => {
    expect(await reported(json, run([]))).toMatch(
      /^\{\n"findings": \[\],\n"errors": \[\],\n"notes": \[\],\n"score": \{.*\},\n"summary": \{.*\}\n\}\n$/,
    );
  });

  it('keeps hostile text as it is', async () => {
    expect(JSON.parse(await reported(json, hostileRun())).findings).toEqual(hostileRun().findings);
  });
});
