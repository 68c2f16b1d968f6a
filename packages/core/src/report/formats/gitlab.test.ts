import { describe, expect, it } from 'vitest';
import type { Finding } from '../../evaluate/index.js';
import { EVERYTHING, finding, hostileRun, type Run, reported, run } from '../testing/run.test-support.js';
import { gitlab } from './gitlab.js';

interface Issue {
  description: string;
  check_name: string;
  fingerprint: string;
  severity: string;
  location: { path: string; lines: { begin: number } };
}

async function issues(of: Run): Promise<Issue[]> {
  return JSON.parse(await reported(gitlab, of));
}

const moved = (of: Finding): Finding => ({ ...of, location: of.location && { ...of.location, line: of.location.line + 7 } });

describe('the GitLab Code Quality report', () => {
  it('holds failing findings, rules that could not be evaluated, and errors; not what is suppressed or passes', async () => {
    expect((await issues(EVERYTHING)).map(({ fingerprint: _, ...issue }) => issue)).toMatchInlineSnapshot(`
      [
        {
          "check_name": "CS-001",
          "description": "CS-001: Containers do not run privileged: container "app" does.",
          "location": {
            "lines": {
              "begin": 12,
            },
            "path": "deploy/web.yaml",
          },
          "severity": "blocker",
        },
        {
          "check_name": "CS-002",
          "description": "CS-002: Container "app" may gain more privileges than its parent.",
          "location": {
            "lines": {
              "begin": 12,
            },
            "path": "deploy/web.yaml",
          },
          "severity": "major",
        },
        {
          "check_name": "CS-001",
          "description": "CS-001: Containers do not run privileged: container "app" does.",
          "location": {
            "lines": {
              "begin": 3,
            },
            "path": "pods.yaml",
          },
          "severity": "blocker",
        },
        {
          "check_name": "SP-003",
          "description": "SP-003: The rule could not be evaluated: no such overload: int + string",
          "location": {
            "lines": {
              "begin": 40,
            },
            "path": "pods.yaml",
          },
          "severity": "critical",
        },
        {
          "check_name": "SP-003",
          "description": "SP-003: The access key is written into the resource.",
          "location": {
            "lines": {
              "begin": 1,
            },
            "path": "module.logs.aws_s3_bucket.this[0]",
          },
          "severity": "critical",
        },
        {
          "check_name": "yaml-syntax",
          "description": "A tab stands where indentation is expected; use spaces.",
          "location": {
            "lines": {
              "begin": 3,
            },
            "path": "broken.yaml",
          },
          "severity": "blocker",
        },
        {
          "check_name": "path-not-found",
          "description": "There is no file or directory nowhere.",
          "location": {
            "lines": {
              "begin": 1,
            },
            "path": " (unnamed)",
          },
          "severity": "blocker",
        },
      ]
    `);
  });

  it('has fingerprints that are unique, also where a file holds the same resource twice', async () => {
    const all = await issues(
      run([finding('CS-001'), finding('CS-001'), finding('CS-001'), ...hostileRun().findings], { errors: hostileRun().errors }),
    );
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
  });

  it('keeps a fingerprint when lines move', async () => {
    const before = await issues(run([finding('CS-001'), finding('CS-002')]));
    const after = await issues(run([moved(finding('CS-001')), moved(finding('CS-002'))]));
    expect(after.map(({ fingerprint }) => fingerprint)).toEqual(before.map(({ fingerprint }) => fingerprint));
  });

  it('is an empty list if there is nothing to report', async () => {
    expect(await reported(gitlab, run([]))).toBe('[]\n');
  });

  it('gives paths relative to the working directory', async () => {
    const [issue] = await issues(run([finding('CS-001', { location: { file: './deploy\\web.yaml', line: 0, column: 0 } })]));
    expect(issue?.location).toEqual({ path: 'deploy/web.yaml', lines: { begin: 1 } });
  });
});
