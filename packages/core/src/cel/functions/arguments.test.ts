import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';
import { originOf } from '../origin.js';

const KEY = `${'AKIA'}QWERTYUIOPASDFGH`;

/** The items of a list that a function gives for a container, each with its place. */
function itemsOf(name: string, container: unknown): [string | undefined, unknown][] {
  const program = createEvaluator().compile(`${name}(c)`, { variables: ['c'], maxNodes: 2000, maxNesting: 3 });
  const items = program.evaluate({ c: container });
  if (!Array.isArray(items)) throw new Error('no list');
  return items.map((item: object) => [originOf(item)?.path, Object.fromEntries(Object.entries(item))]);
}

describe('the arguments of a container', () => {
  it('are the items of command and args that are texts, each at its place', () => {
    const container = { command: ['sh', 1, '-c'], args: ['run'], livenessProbe: { exec: { command: ['true'] } } };
    expect(itemsOf('commandArguments', container)).toEqual([
      ['/command/0', { text: 'sh' }],
      ['/command/2', { text: '-c' }],
      ['/args/0', { text: 'run' }],
    ]);
    for (const other of [{}, { args: {} }, 'x', null, 1]) expect(itemsOf('commandArguments', other)).toEqual([]);
  });
});

describe('the secrets of arguments', () => {
  const failing = (container: unknown) =>
    itemsOf('argumentSecrets', container).flatMap(([place, item]) =>
      JSON.stringify(item, stringed).includes('[]') ? [] : [[place, item]],
    );
  const stringed = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

  it('are at the argument that holds the secret, not at its flag', () => {
    const container = { command: ['server'], args: ['--port=80', '--x', '--token', 'abcd', '--db-password=hunter2'] };
    expect(itemsOf('argumentSecrets', container)).toHaveLength(6);
    expect(failing(container)).toEqual([
      ['/args/3', { secrets: ['--token'], line: 1n }],
      ['/args/4', { secrets: ['--db-password'], line: 1n }],
    ]);
  });

  it('are at the argument when command and args make up one command', () => {
    expect(failing({ command: ['mysqldump', '-u', 'root'], args: ['-phunter2', 'shop'] })).toEqual([
      ['/args/0', { secrets: ['mysql -p'], line: 1n }],
    ]);
  });

  it('are on a line of a script, named once each', () => {
    const script = 'set -e\n# start\nexport DB_PASSWORD=hunter2\nexport DB_PASSWORD=hunter3\ncurl -u a:b1c x\n';
    expect(failing({ command: ['sh', '-c', script] })).toEqual([['/command/2', { secrets: ['DB_PASSWORD', 'curl -u'], line: 3n }]]);
  });

  it('are credentials of a known form where nothing names them', () => {
    expect(failing({ args: ['--id', `a\nb ${KEY}`] })).toEqual([['/args/1', { secrets: ['a credential of a known form'], line: 2n }]]);
    expect(failing({ args: [`--token=${KEY}`] })).toEqual([['/args/0', { secrets: ['--token'], line: 1n }]]);
  });

  it('take time linear in the arguments to find', () => {
    const started = performance.now();
    expect(failing({ args: Array.from({ length: 20_000 }, () => '--token=abcd') })).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('are looked for in hooks, probes and scripts, each a command of its own', () => {
    const command = ['x', '--token=abcd'];
    const container = {
      args: ['--token'],
      lifecycle: { postStart: { exec: { command } }, preStop: { exec: { command } } },
      livenessProbe: { exec: { command } },
      readinessProbe: { exec: { command } },
      startupProbe: { exec: { command } },
      script: 'TOKEN=abcd x',
      source: 'x\nTOKEN=abcd x',
    };
    expect(failing(container).map(([place]) => place)).toEqual([
      '/script',
      '/source',
      '/lifecycle/postStart/exec/command/1',
      '/lifecycle/preStop/exec/command/1',
      '/livenessProbe/exec/command/1',
      '/readinessProbe/exec/command/1',
      '/startupProbe/exec/command/1',
    ]);
  });

  it('are none in what is not a container', () => {
    for (const other of [{}, { args: {}, lifecycle: [] }, 'x', null, 1]) expect(itemsOf('argumentSecrets', other)).toEqual([]);
  });
});
