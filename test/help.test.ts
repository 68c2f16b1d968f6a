import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf, ROOT } from './run-cli.js';

const manifest: { commands: { [id: string]: { flags: object; examples?: unknown[]; hidden?: boolean } } } = JSON.parse(
  readFileSync(`${ROOT}packages/cli/oclif.manifest.json`, 'utf8'),
);
/** Commands of oclif, which the command line bundles. */
const BUNDLED = /^(?:autocomplete|help|version)(?::|$)/;
const commands = Object.entries(manifest.commands).filter(([id]) => !BUNDLED.test(id));

describe('the help', () => {
  it('lists every command', async () => {
    const { code, stdout } = await bylawAlone(['help']);
    expect(code).toBe(0);
    for (const [id] of commands) expect(stdout).toContain(id.split(':')[0]);
  });

  it.each(commands)('of `%s` shows examples and every flag', async (id, { flags, examples }) => {
    const { code, stdout } = await bylaw([...id.split(':'), '--help']);
    expect(code).toBe(0);
    expect(examples?.length).toBeGreaterThan(0);
    expect(stdout).toContain('EXAMPLES');
    for (const flag of Object.keys(flags)) expect(stdout).toContain(`--${flag}`);
  });

  it.each([
    ['validate', '--help'],
    ['validate', '-h'],
    ['help', 'validate'],
  ])('shows the flags and examples that plugins add: %s %s', async (...args) => {
    const { stdout } = await bylaw(args);
    for (const flag of ['cost', 'carbon'])
      expect(stdout).toContain(`\n  --fail-on-${flag}-increase=PERCENT\n      Exit with 1 if the monthly `);
    expect(stdout).toContain('Fail if the monthly cost rises by more than 10 %');
  });

  it('and completion know the flags that plugins add', async () => {
    const cache = folderOf();
    await bylaw(['autocomplete', 'bash', '--refresh-cache'], { env: { XDG_CACHE_HOME: cache } });
    const [script = ''] = globSync(`${cache}/**/functions/bash/bylaw.bash`);
    expect(readFileSync(script, 'utf8')).toMatch(/^validate .*--fail-on-cost-increase/m);
  });

  it('offers --json everywhere but where standard output belongs to a protocol', () => {
    const without = commands.filter(([, { flags }]) => !('json' in flags)).map(([id]) => id);
    expect(without).toEqual(['mcp']);
  });
});

describe('a wrong command line', () => {
  it.each([
    [['rulse'], 'Unknown command `bylaw rulse`', 'Did you mean `bylaw rules`?'],
    [['config', 'chek'], 'Unknown command `bylaw config chek`', 'Did you mean `bylaw config check`?'],
    [['evaluate', '--formt', 'json'], 'Nonexistent flag: --formt', 'Did you mean --format?'],
    [['evaluate', '--format', 'jsn'], 'text, json, sarif, junit, markdown, html, github, gitlab', ''],
    [['evaluate', '--fail-on', 'hgih'], 'Unknown severity `hgih` for --fail-on', 'Did you mean HIGH?'],
    [['evaluate', '--threads', 'many'], '--threads', ''],
    [['evaluate', '--category', 'CSS', 'examples'], 'No such category', 'Did you mean CS?'],
    [['rules', '--severity', 'sever'], 'No such severity', 'Valid values: CRITICAL, HIGH, MEDIUM, LOW, INFO'],
    [['rules', '--id', 'CS-999'], 'No installed rule has this identifier', '`bylaw rules` lists all rules.'],
    [['rules', '--framework', 'CIS-K9S'], 'No installed rule maps to this framework', 'Did you mean CIS-K8S?'],
    [['rules', '--id', 'CS-001', '--search', 'root'], '--search', ''],
    [['rules', 'unexpected'], 'Unknown command `bylaw rules unexpected`', ''],
    [['validate', 'examples'], 'proposed', ''],
    [['serve', '--tls-cert', 'x'], '--tls-key', ''],
    [['serve', '--port', '70000'], '65535', ''],
    [['init', '--yes', '--ci', 'jenkins'], 'github, gitlab, none', ''],
    [['init', '--yes', '--plugins', 'k8'], 'No installed plugin is called `k8`', 'Did you mean k8s?'],
    [['apikey', 'create', '--name', 'a b'], '--name', ''],
  ])('%j exits with 2 and says what is meant', async (args, message, hint) => {
    const { code, stdout, stderr } = await bylaw(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('is told as JSON where JSON was asked for', async () => {
    const { code, stdout, stderr } = await bylaw(['rules', '--id', 'CS-999', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'rule-unknown', message: expect.any(String), hint: expect.any(String) } });
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('shows a stack trace only to those who ask for it', async () => {
    const { stderr } = await bylaw(['rules', '--id', 'CS-999'], { env: { DEBUG: '1' } });
    expect(stderr).toMatch(/\n\s+at /);
  });
});
