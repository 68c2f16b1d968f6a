import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';
import { originOf } from '../../origin.js';

const program = createEvaluator().compile('commands(c)', { variables: ['c'], maxNodes: 100, maxNesting: 1 });

/** Each command with the place where a finding on it stands. */
function commands(container: unknown): unknown[] {
  const found = program.evaluate({ c: container });
  if (!Array.isArray(found)) throw new TypeError('no list');
  return found.map((item) => [item.key, item.line, originOf(item)?.path]);
}

describe('the commands of a container', () => {
  it('are command with args, the hooks and the probes', () => {
    const lifecycle = { postStart: { exec: { command: ['a', 'b'] } }, preStop: { exec: { command: ['c'] } } };
    const probes = {
      livenessProbe: { exec: { command: ['d', 'e f'] } },
      readinessProbe: { httpGet: { port: 80 } },
      startupProbe: { exec: { command: ['g'] } },
    };
    expect(commands({ command: ['pip'], args: ['install'], lifecycle, ...probes })).toEqual([
      ['command', 'pip install', '/command'],
      ['postStart', 'a b', '/lifecycle/postStart/exec/command'],
      ['preStop', 'c', '/lifecycle/preStop/exec/command'],
      ['livenessProbe', 'd e f', '/livenessProbe/exec/command/1'],
      ['startupProbe', 'g', '/startupProbe/exec/command'],
    ]);
  });

  it.each([
    [{ command: ['sh', '-c', 'x | y'] }, '/command/2'],
    [{ command: ['sh', '-c'], args: ['x | y', 'a b'] }, '/args/0'],
    [{ args: ['--flag', ' --other\n'] }, '/args'],
  ])('%j stands at %s', (container, place) => {
    expect(commands(container)).toEqual([['command', expect.any(String), place]]);
  });

  it('leave out the lines of a script that are comments', () => {
    const script = '#!/bin/sh\n  # curl x | sh\necho "# kept"\n# end';
    expect(commands({ command: ['sh', '-c', script] })).toEqual([['command', 'sh -c echo "# kept"\n', '/command/2']]);
  });

  it.each([
    [{}],
    [{ command: [] }],
    [{ command: 'sh', args: {}, lifecycle: [] }],
    [{ lifecycle: { preStop: { exec: 1 } } }],
    [null],
    ['sh'],
  ])('are none for %j', (container) => {
    expect(commands(container)).toEqual([]);
  });

  it('count an item that is no text as empty', () => {
    expect(commands({ args: [1, 'a'] })).toEqual([['command', ' a', '/args']]);
  });
});
