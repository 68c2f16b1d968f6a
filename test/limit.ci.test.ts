import { describe, expect, it, onTestFinished } from 'vitest';
import { bylaw, folderOf, serveBylaw, toolAnswer } from './run-cli.js';

/** Each fails several rules, of which one is critical. */
const pods = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `{apiVersion: v1, kind: Pod, metadata: {name: pod-${index}}, spec: {containers: [{name: c, image: nginx, securityContext: {privileged: true}}]}}\n`,
  ).join('---\n');

describe('an answer with more findings than the server gives by itself', () => {
  it('is complete on the command line, here and from a server', async () => {
    const cwd = folderOf({ 'current.yaml': pods(1), 'proposed.yaml': pods(700) });
    const server = await serveBylaw();
    onTestFinished(server.stop);
    const both = async (...args: string[]) => {
      const here = await bylaw([...args, '--json'], { cwd });
      expect(await bylaw([...args, '--json', '--remote', server.url], { cwd })).toEqual(here);
      return JSON.parse(here.stdout);
    };
    const report = await both('evaluate', 'proposed.yaml');
    expect(report.findings.length).toBeGreaterThan(10_000);
    const comparison = await both('validate', 'current.yaml', 'proposed.yaml');
    expect(comparison.introduced.length).toBeGreaterThan(10_000);
  });

  it('is the same from the server and the tool, cut to the most severe findings', async () => {
    const server = await serveBylaw();
    onTestFinished(server.stop);
    const body = { content: pods(3), limit: 4 };
    const response = await fetch(`${server.url}/api/v1/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const report = (await response.json()) as { findings: { severity: string }[]; truncated: object; summary: object };
    // In the order of the report: the fourth is one of the first Pod.
    expect(report.findings.map(({ severity }) => severity)).toEqual(['CRITICAL', 'HIGH', 'CRITICAL', 'CRITICAL']);
    expect(report).toMatchObject({ truncated: { findings: { shown: 4 } }, summary: { resources: 3, by_severity: { CRITICAL: 3 } } });
    expect(await toolAnswer('evaluate', body)).toEqual(report);
  });
});
