import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, type CliResult, folderOf, ROOT } from './run-cli.js';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { hostPID: true, containers: [{ name: a, image: nginx }] }\n';

describe('commands that share a process', () => {
  it('answer as in processes of their own, whatever ran before them', async () => {
    const cwd = folderOf({ 'pod.yaml': POD, 'bylaw.yaml': 'evaluate: { fail_on: NONE }\n' });
    const commands: [string[], Parameters<typeof bylaw>[1]][] = [
      [['evaluate', 'pod.yaml', '--json'], { cwd }],
      [['evaluate', '-', '--format', 'junit'], { input: POD }],
      [['evaluate', '-', '--json'], {}],
      [['evaluate', 'missing.yaml', '--json'], { cwd }],
      [['evaluate', 'pod.yaml', '--threads', '2'], { cwd, env: { FORCE_COLOR: '1' } }],
      [['evaluate', 'pod.yaml'], { cwd, env: { SVC_CONFIG: '/dev/null' } }],
      [['evaluate', '--formt', 'json'], {}],
      [['rules', '--id', 'CS-999', '--json'], {}],
      [['finops', 'anomalies', '--focus', join(ROOT, 'examples/cost/focus.csv')], {}],
      [['scores', '--help'], {}],
      [['--version'], {}],
    ];
    const alone = new Map<string[], CliResult>();
    for (const [args, options] of commands) alone.set(args, await bylawAlone(args, options));
    for (const [args, options] of [...commands, ...commands.toReversed()])
      expect([args, await bylaw(args, options)]).toEqual([args, alone.get(args)]);
  });
});
