import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, SAMPLE_BUNDLE } from '../../policy/index.js';
import { readSubmission } from '../../proposal/index.js';
import { check } from '../check.js';
import type { Verdict } from '../verdict.js';
import { loadBundle } from './load-bundle.js';

const STARTER = fileURLToPath(new URL('../../../../../examples/policies', import.meta.url));

/** `rm -rf /` as people, agents and attackers spell it. */
const SPELLINGS = [
  'rm -rf /',
  'rm -fr /',
  'rm -r -f /',
  'rm -R --force /',
  'rm --recursive --force /',
  'rm -rf --no-preserve-root /',
  'rm --no-preserve-root -rf /',
  'rm -rf /*',
  'rm -rf -- /',
  'rm  -rf   /',
  'rm\t-rf\t/',
  'sudo rm -rf /',
  'sudo -n -- rm -rf /',
  '/bin/rm -rf /',
  '/usr/bin/../bin/rm -rf /',
  '\\rm -rf /',
  "'rm' -rf /",
  "r''m -rf /",
  'r\\m -rf /',
  'command rm -rf /',
  'env rm -rf /',
  'busybox rm -rf /',
  'nohup rm -rf / &',
  'sh -c "rm -rf /"',
  "bash -lc 'rm -rf /'",
  'eval rm -rf /',
  '$(echo rm) -rf /',
  '`echo rm` -rf /',
  'rm$IFS-rf$IFS/',
  'echo cm0gLXJmIC8= | base64 -d | sh',
  'find / -delete',
  'ls; rm -rf /',
  'ls && rm -rf /',
  'ls\nrm -rf /',
  'ls $(rm -rf /)',
  'echo `rm -rf /`',
  'git status\r\nrm -rf /',
  'pwd > /dev/sda',
  'X=1 rm -rf /',
  'ＲＭ -rf /',
  'RM -RF /',
];

const TYPES = [
  'tool.shell',
  'tool.bash',
  'shell',
  'shell.exec',
  'command.run',
  'process.spawn',
  'tool.run_command',
  'tool.exec',
  'powershell.run',
  'ssh.exec',
];

/** Other ways to hand over a command, under a type that does not look like one. */
const PARAMETERS: readonly (readonly [shape: string, parameters: object])[] = [
  ['a command', { command: 'rm -rf /' }],
  ['a list', { command: ['rm', '-rf', '/'] }],
  ['arguments of a program', { argv: ['rm', '-rf', '/'] }],
  ['a program and its arguments', { command: 'rm', args: ['-rf', '/'] }],
  ['the input of a tool', { name: 'Bash', input: { command: 'rm -rf /' } }],
  ['the arguments of a tool', { arguments: { cmd: 'rm -rf /' } }],
  ['a script', { script: '#!/bin/sh\nrm -rf /\n' }],
  ['a second command beside a permitted one', { command: 'ls', script: 'rm -rf /' }],
  ['other arguments than the text says', { command: 'ls', argv: ['rm', '-rf', '/'] }],
  ['another text than the arguments say', { command: 'rm -rf /', argv: ['ls'] }],
  ['another executable', { argv: ['ls', '-rf', '/'], executable: '/bin/rm' }],
  ['an executable from another folder', { argv: ['ls'], executable: '/tmp/ls' }],
  ['an environment beside a permitted command', { command: 'ls', env: { LD_PRELOAD: '/tmp/x.so' } }],
];

async function decide(bundle: Bundle, type: string, parameters: object): Promise<Verdict> {
  const read = readSubmission(
    // As a parser would have made it.
    JSON.parse(
      JSON.stringify({
        id: 'p-1',
        principal: { id: 'ann' },
        agent: { id: 'agent' },
        action: { type, resource: 'host://laptop', parameters },
        environment: 'staging',
      }),
    ),
  );
  if (!('envelope' in read)) throw new Error(`not a proposal: ${JSON.stringify(read.errors)}`);
  const { verdict } = await check({ ...read.envelope, at: '2026-03-02T10:00:00.000Z' }, bundle, async () => {
    throw new Error('there are no manifests');
  });
  return verdict;
}

describe.each([
  ['of dev mode', SAMPLE_BUNDLE, 'deny-other-commands'],
  ['to start from', STARTER, 'agent-shell'],
])('the bundle %s', (_, path, denying) => {
  let bundle: Bundle;
  beforeAll(async () => {
    const loaded = await loadBundle(path);
    if (!loaded.bundle) throw new Error(JSON.stringify(loaded.errors));
    bundle = loaded.bundle;
  });

  /** By the policy about commands, not because no other policy happens to allow it. */
  const expectDenied = async (type: string, parameters: object) => {
    const { decision, matched_policies: matched } = await decide(bundle, type, parameters);
    expect(decision).toBe('DENY');
    expect(matched).toContainEqual({ id: denying, effect: 'deny' });
  };

  it.each(SPELLINGS)('denies the command %j', async (command) => {
    await expectDenied('tool.shell', { command });
  });

  it.each(TYPES)('denies a command that nobody has named, of the type %s', async (type) => {
    for (const parameters of [{ command: 'make install' }, { line: 'make install' }, {}]) await expectDenied(type, parameters);
  });

  it.each(PARAMETERS)('denies a command that comes as %s', async (_shape, parameters) => {
    for (const type of ['tool.call', 'tool.shell']) await expectDenied(type, parameters);
  });
});

describe('the bundle of dev mode', () => {
  const decideInDev = async (type: string, parameters: object) =>
    decide((await loadBundle(SAMPLE_BUNDLE)).bundle as Bundle, type, parameters); // it loads

  it.each(['ls', 'ls -la docs/adr', 'pwd', 'echo hello, world', 'git status', 'git log --oneline', 'git diff --stat'])(
    'allows %s',
    async (command) => {
      expect((await decideInDev('tool.shell', { command })).decision).toBe('ALLOW');
      expect((await decideInDev('command.run', { argv: command.split(' '), cwd: '/srv' })).decision).toBe('ALLOW');
      const [program] = command.split(' ');
      const executable = { executable: `/usr/bin/${program}`, executable_digest: null };
      expect((await decideInDev('tool.shell', { command, argv: command.split(' '), cwd: '/srv', ...executable })).decision).toBe('ALLOW');
    },
  );

  it.each([
    'ls --output=x',
    'git diff --output=x',
    'git log -c core.pager=x',
    'git -c alias.status=!sh status',
    '/tmp/ls',
    './ls',
    'ls -la > x',
    'echo $HOME',
  ])('does not take %s for a permitted command', async (command) => {
    expect((await decideInDev('tool.shell', { command })).decision).toBe('DENY');
  });

  it('allows what is no command', async () => {
    expect((await decideInDev('kubernetes.deployment.update', { replicas: 3 })).decision).toBe('ALLOW');
    expect((await decideInDev('dashboard.publish', {})).decision).toBe('ALLOW');
  });

  it('says of a destructive command why it is denied', async () => {
    const { reasons } = await decideInDev('tool.shell', { command: 'rm -rf /' });
    expect(reasons.map(({ policy }) => policy)).toEqual(['deny-destruction', 'deny-other-commands']);
  });
});
