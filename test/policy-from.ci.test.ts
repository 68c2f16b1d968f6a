import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf } from './run-cli.js';

const pod = (name: string, more: { annotation?: string; comment?: string } = {}) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: shop
${more.annotation === undefined ? '' : `  annotations: { bylaw.dev/ignore: "${more.annotation}" }\n`}spec:
  containers:
    - name: app
      image: registry.example.com/app:1.0.0
      securityContext:
        privileged: true${more.comment === undefined ? '' : ` # bylaw:ignore ${more.comment}`}
`;

const RULE = (id: string, expression: string) => `id: ${id}
severity: HIGH
title: Pods have an owner
description: Why.
targets: [Pod]
expression: ${expression}
fix: Add the label owner.
examples:
  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ image: a }] } }
  - pass: { apiVersion: v1, kind: Pod, metadata: { name: a, labels: { owner: a } }, spec: { containers: [{ image: a }] } }
`;

const OWNED = 'object.?metadata.?labels.?owner.hasValue()';

const MAIN = {
  'bylaw.yaml': `evaluate:
  fail_on: HIGH
  categories: [CS, ORG]
  rule_dirs: [rules]
exceptions:
  - { rule: CS-001, name: agent, reason: accepted on main }
`,
  'rules/org-001.yaml': RULE('ORG-001', OWNED),
  'deploy/old.yaml': pod('old', { annotation: 'CS-001=accepted on main' }),
  'deploy/commented.yaml': pod('commented', { comment: 'CS-001 accepted on main' }),
};

function git(folder: string, ...args: string[]): void {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];
  execFileSync('git', ['-C', folder, ...settings.flatMap((setting) => ['-c', setting]), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(folder: string, files: { readonly [path: string]: string }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository on a branch that changes some files; the branch `main` stays as it was. */
function pullRequest(change: { readonly [path: string]: string }, main: { readonly [path: string]: string } = MAIN): string {
  const folder = folderOf(main);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  git(folder, 'checkout', '-q', '-b', 'change');
  write(folder, change);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'change');
  return folder;
}

interface Told {
  rule_id: string;
  status: string;
  resource: { name: string };
  suppression?: { source: string };
  would_be_suppressed?: { source: string; ignored_because: string };
}

/** The findings of a rule by the name of the object, and the exit code. */
async function findingsOf(cwd: string, rule = 'CS-001', ...flags: string[]) {
  const { code, stdout, stderr } = await bylaw(['evaluate', 'deploy', '--policy-from', 'main', '--json', ...flags], { cwd });
  if (stdout === '') throw new Error(stderr);
  const { findings, ...report } = JSON.parse(stdout);
  const mine = (findings as Told[]).filter(({ rule_id }) => rule_id === rule);
  return {
    code,
    report,
    findings: Object.fromEntries(
      mine.map(({ resource, status, suppression, would_be_suppressed: would }) => [
        resource.name,
        would ? `${status}, ${would.source} ${would.ignored_because}` : suppression ? `${status}, ${suppression.source}` : status,
      ]),
    ),
  };
}

describe('with --policy-from, a pull request', () => {
  const bad = { 'deploy/new.yaml': pod('new') };
  const config = (text: string) => ({ ...bad, 'bylaw.yaml': text });

  it('fails on main’s threshold, whatever threshold it sets', async () => {
    const folder = pullRequest(config('evaluate: { fail_on: NONE }\n'));
    expect((await bylawAlone(['evaluate', 'deploy'], { cwd: folder })).code).toBe(0);
    expect(await findingsOf(folder)).toMatchObject({ code: 1, findings: { new: 'fail' } });
  });

  it('fails by main’s rules, whichever rules it selects or excludes', async () => {
    for (const text of [
      'evaluate: { rules: [RL-001] }\n',
      'evaluate: { exclude_rules: [CS-001, CS-002, CS-003] }\n',
      'evaluate: { severities: [INFO] }\n',
    ]) {
      const { code, findings } = await findingsOf(pullRequest(config(text)));
      expect([code, findings['new']]).toEqual([1, 'fail']);
    }
  });

  it('fails by main’s plugins, if it empties the list', async () => {
    expect(await findingsOf(pullRequest(config('plugins: []\n')))).toMatchObject({ code: 1, findings: { new: 'fail' } });
  });

  it('fails in spite of exceptions and a baseline that it adds, and the report says that they wait for the merge', async () => {
    const wildcard = 'exceptions:\n  - { rule: "CS-*", reason: mine, name: "*" }\n';
    expect((await findingsOf(pullRequest(config(wildcard)))).findings).toMatchObject({ new: 'fail, config policy_from' });
    const folder = pullRequest(config('evaluate: { baseline: known.json }\n'));
    await bylaw(['evaluate', 'deploy', '--write-baseline', 'known.json', '--rule', 'CS-001'], {
      cwd: folder,
      env: { SVC_CONFIG: '/dev/null' },
    });
    expect((await bylaw(['evaluate', 'deploy', '--rule', 'CS-001'], { cwd: folder })).code).toBe(0);
    expect(await findingsOf(folder)).toMatchObject({ code: 1, findings: { new: 'fail, baseline policy_from' } });
  });

  it('fails in spite of a baseline that it changes, if the command line names that file', async () => {
    const entry = JSON.stringify(['CS-001', 'Pod', 'shop', 'new', '/spec/containers/[app]/securityContext/privileged']);
    const known = (lines: string) => `{"version":1,"findings":[\n${lines}\n]}\n`;
    const folder = pullRequest({ ...bad, 'known.json': known(entry) }, { ...MAIN, 'known.json': known('') });
    expect((await findingsOf(folder, 'CS-001', '--baseline', 'known.json')).findings).toMatchObject({ new: 'fail, baseline policy_from' });
    const added = pullRequest({ ...bad, 'known.json': known(entry) });
    expect((await findingsOf(added, 'CS-001', '--baseline', 'known.json')).findings).toMatchObject({ new: 'fail, baseline policy_from' });
  });

  it('fails in spite of annotations and comments that it adds', async () => {
    const folder = pullRequest({
      'deploy/new.yaml': pod('new', { annotation: 'CS-001=mine' }),
      'deploy/other.yaml': pod('other', { comment: 'CS-001 mine' }),
      'deploy/old.yaml': pod('old', { annotation: 'CS-001=accepted on main; CS-002=mine' }),
    });
    expect((await bylaw(['evaluate', 'deploy', '--rule', 'CS-001'], { cwd: folder })).code).toBe(0);
    const { code, findings } = await findingsOf(folder);
    expect([code, findings]).toEqual([
      1,
      {
        commented: 'suppressed, comment',
        new: 'fail, annotation policy_from',
        old: 'suppressed, annotation',
        other: 'fail, comment policy_from',
      },
    ]);
    expect((await findingsOf(folder, 'CS-002')).findings['old']).not.toBe('suppressed, annotation');
  });

  it('cannot take an accepted object to another file, behind a link, or under another name', async () => {
    const folder = pullRequest({
      'deploy/copy.yaml': pod('old', { annotation: 'CS-001=accepted on main' }),
      'deploy/old.yaml': `${pod('old', { annotation: 'CS-001=accepted on main' })}---\n${pod('renamed', { annotation: 'CS-001=accepted on main' })}`,
    });
    rmSync(join(folder, 'deploy/commented.yaml'));
    symlinkSync('../elsewhere/there.yaml', join(folder, 'deploy/link.yaml'));
    write(folder, { 'elsewhere/there.yaml': pod('there', { annotation: 'CS-001=mine' }) });
    const { stdout } = await bylaw(['evaluate', 'deploy', '--policy-from', 'main', '--json', '--rule', 'CS-001'], { cwd: folder });
    const told = (JSON.parse(stdout).findings as (Told & { location: { file: string } })[]).map(({ location, resource, status }) => [
      location.file,
      resource.name,
      status,
    ]);
    expect(told).toContainEqual(['deploy/copy.yaml', 'old', 'fail']);
    expect(told).toContainEqual(['deploy/old.yaml', 'old', 'suppressed']);
    expect(told).toContainEqual(['deploy/old.yaml', 'renamed', 'fail']);
    expect(told.filter(([, name, status]) => name === 'there' && status === 'suppressed')).toEqual([]);
  });

  it('cannot move a comment to where it covers more', async () => {
    const wider = `# bylaw:ignore CS-001 accepted on main\n${pod('commented')}`;
    expect((await findingsOf(pullRequest({ 'deploy/commented.yaml': wider }))).findings).toMatchObject({
      commented: 'fail, comment policy_from',
    });
  });

  it('is evaluated by main’s custom rules, if it weakens, removes or replaces them', async () => {
    const weakened = pullRequest({ 'rules/org-001.yaml': RULE('ORG-001', 'true') });
    expect((await findingsOf(weakened, 'ORG-001')).findings).toEqual({ commented: 'fail', old: 'fail' });
    const removed = pullRequest({ 'bylaw.yaml': '{}\n' });
    rmSync(join(removed, 'rules'), { recursive: true });
    expect((await findingsOf(removed, 'ORG-001')).findings).toEqual({ commented: 'fail', old: 'fail' });
    const named = pullRequest({ 'extra/org-002.yaml': RULE('ORG-002', 'true') }, { ...MAIN, 'extra/org-002.yaml': RULE('ORG-002', OWNED) });
    expect((await findingsOf(named, 'ORG-002', '--rules', 'extra')).findings).toEqual({ commented: 'fail', old: 'fail' });
  });

  it('cannot put a nearer bylaw.yaml, or a link in the place of it, before main’s', async () => {
    const nearer = pullRequest({ ...bad, 'deploy/bylaw.yaml': 'evaluate: { fail_on: NONE }\n' });
    const { code, stdout } = await bylaw(['evaluate', '.', '--policy-from', 'main', '--json'], { cwd: join(nearer, 'deploy') });
    expect([code, JSON.parse(stdout).findings.length > 0]).toEqual([1, true]);
    const linked = pullRequest(bad);
    rmSync(join(linked, 'bylaw.yaml'));
    write(linked, { 'lax.yaml': 'evaluate: { fail_on: NONE }\n' });
    symlinkSync('lax.yaml', join(linked, 'bylaw.yaml'));
    expect(await findingsOf(linked)).toMatchObject({ code: 1, findings: { new: 'fail' } });
  });

  it('is told in the report which commit it was evaluated by', async () => {
    const folder = pullRequest(bad);
    const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'main'], { encoding: 'utf8' }).trim();
    expect((await findingsOf(folder)).report).toMatchObject({ policy: { ref: 'main', commit, config: 'main:bylaw.yaml' } });
    const { stdout } = await bylaw(['evaluate', 'deploy', '--policy-from', 'main'], { cwd: folder });
    expect(stdout).toContain(`The policy is that of main (commit ${commit.slice(0, 10)}): main:bylaw.yaml.`);
  });

  it('gets the same answer with several threads', async () => {
    const folder = pullRequest({ 'deploy/new.yaml': pod('new', { annotation: 'CS-001=mine' }) });
    const one = await findingsOf(folder, 'CS-001', '--threads', '1');
    expect(await findingsOf(folder, 'CS-001', '--threads', '3')).toEqual(one);
  });

  it('keeps the exceptions of main, and what it fixes is fixed', async () => {
    const folder = pullRequest({ 'deploy/agent.yaml': pod('agent'), 'deploy/old.yaml': pod('old').replace('true', 'false') });
    expect((await findingsOf(folder)).findings).toEqual({ agent: 'suppressed, config', commented: 'suppressed, comment' });
  });

  it('is held to the defaults where main has no bylaw.yaml', async () => {
    const folder = pullRequest(config('evaluate: { fail_on: NONE }\n'), { 'deploy/old.yaml': pod('old') });
    expect(await findingsOf(folder)).toMatchObject({ code: 1, findings: { new: 'fail', old: 'fail' } });
  });
});

describe('the commands that take --policy-from', () => {
  it('are compliance, scores record and validate, too', async () => {
    const folder = pullRequest({
      'bylaw.yaml': 'evaluate: { exclude_rules: [CS-001] }\nexceptions: [{ rule: "CS-*", reason: mine }]\n',
      'deploy/new.yaml': pod('new', { annotation: 'CS-001=mine' }),
    });
    const from = ['--policy-from', 'main', '--json'];
    const compliance = await bylaw(['compliance', 'deploy', '--framework', 'PSS-BASELINE', ...from], { cwd: folder });
    expect([compliance.code, compliance.stdout]).toEqual([1, expect.stringContaining('"fail"')]);
    const [lax, strict] = [
      await bylaw(['scores', 'record', 'deploy', '--project', 'a', '--json'], { cwd: folder }),
      await bylaw(['scores', 'record', 'deploy', '--project', 'b', ...from], { cwd: folder }),
    ];
    expect(JSON.parse(strict.stdout).score.overall).toBeLessThan(JSON.parse(lax.stdout).score.overall);
    write(folder, { 'current/old.yaml': MAIN['deploy/old.yaml'] });
    const compared = await bylaw(['validate', 'current', 'deploy', ...from], { cwd: folder });
    const { verdict, introduced, exceptions } = JSON.parse(compared.stdout);
    expect([compared.code, verdict]).toEqual([1, 'regressed']);
    expect(exceptions).toMatchObject({
      current: { suppressed_by: { annotation: 1 } },
      proposed: { would_be_suppressed_by: { policy_from: { annotation: 1, comment: 1 } } },
    });
    expect(compliance.stderr).toContain('note: Would be suppressed after this change is merged: ');
    const privileged = (introduced as Told[]).filter(({ rule_id }) => rule_id === 'CS-001');
    expect(privileged.map(({ resource, would_be_suppressed: would }) => [resource.name, would?.ignored_because])).toEqual([
      ['commented', 'policy_from'],
      ['new', 'policy_from'],
    ]);
  });

  it('say clearly what is wrong with the revision, the repository or the other flags', async () => {
    const repository = pullRequest({});
    const told = async (args: string[], cwd = repository, env = {}) => {
      const { code, stderr } = await bylaw(['evaluate', 'deploy', ...args], { cwd, env });
      return [code, stderr.split('\n')[0]];
    };
    expect(await told(['--policy-from', 'nowhere'])).toEqual([2, expect.stringContaining('Git cannot find the commit "nowhere"')]);
    expect(await told(['--policy-from', ''])).toEqual([2, expect.stringContaining('Git cannot find the commit ""')]);
    expect(await told(['--policy-from', 'main', '--config', 'bylaw.yaml'])).toEqual([2, expect.stringContaining('--config or SVC_CONFIG')]);
    expect(await told(['--policy-from', 'main'], repository, { SVC_CONFIG: 'bylaw.yaml' })).toEqual([
      2,
      expect.stringContaining('--config or SVC_CONFIG'),
    ]);
    expect(await told(['--policy-from', 'main', '--remote', 'http://127.0.0.1:1'])).toEqual([
      2,
      expect.stringContaining('a remote server'),
    ]);
    expect(await told(['--policy-from', 'main'], folderOf({ 'deploy/a.yaml': pod('a') }))).toEqual([
      2,
      expect.stringContaining('is not in a Git working tree'),
    ]);
    git(repository, 'tag', 'main');
    expect(await told(['--policy-from', 'main'])).toEqual([2, expect.stringContaining('may be refs/heads/main or refs/tags/main')]);
    expect((await told(['--policy-from', 'refs/heads/main']))[0]).toBe(1);
  });

  it('name the commit in errors of its files', async () => {
    const broken = pullRequest({ 'bylaw.yaml': '{}\n' }, { ...MAIN, 'bylaw.yaml': 'evaluate: { fail_on: SOME }\n' });
    const { code, stderr } = await bylaw(['evaluate', 'deploy', '--policy-from', 'main'], { cwd: broken });
    expect([code, stderr]).toEqual([3, expect.stringContaining('main:bylaw.yaml:1:13')]);
    const gone = pullRequest({}, { 'bylaw.yaml': 'evaluate: { rule_dirs: [rules] }\n', 'deploy/a.yaml': pod('a') });
    expect((await bylaw(['evaluate', 'deploy', '--policy-from', 'main'], { cwd: gone })).stderr).toContain(
      'The rule folder main:rules is not in the commit.',
    );
  });
});

describe('validate', () => {
  /** Two checkouts, as in the documented workflow; the working directory is in none of them. */
  const checkouts = (current: { [path: string]: string }, proposed: { [path: string]: string }) => {
    const put = (name: string, files: { [path: string]: string }) =>
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`${name}/${path}`, content]));
    const folder = folderOf({ ...put('current', current), ...put('proposed', proposed) });
    for (const name of ['current', 'proposed']) git(join(folder, name), 'init', '-q');
    return folder;
  };
  const lax = { 'bylaw.yaml': 'evaluate: { categories: [CS] }\nexceptions: [{ rule: "CS-*", reason: mine }]\n' };
  const old = { 'deploy/old.yaml': pod('old').replace('true', 'false') };
  const bad = { ...old, 'deploy/new.yaml': pod('new') };

  it('takes the configuration of the current side, wherever the command runs, and says so', async () => {
    const folder = checkouts({ ...old, 'bylaw.yaml': 'evaluate: { categories: [CS] }\n' }, { ...bad, ...lax });
    const outside = await bylaw(['validate', 'current/deploy', 'proposed/deploy'], { cwd: folder });
    expect([outside.code, outside.stderr]).toEqual([1, 'note: the configuration is that of the current side: current/bylaw.yaml\n']);
    const inside = await bylaw(['validate', '../current/deploy', 'deploy'], { cwd: join(folder, 'proposed') });
    expect([inside.code, inside.stderr]).toEqual([1, 'note: the configuration is that of the current side: ../current/bylaw.yaml\n']);
    const pattern = await bylaw(['validate', 'current/*/*.yaml', 'proposed/deploy'], { cwd: folder });
    expect(pattern.code).toBe(1);
  });

  it('takes the defaults if the current side has no bylaw.yaml, and not the one of the proposed side', async () => {
    const folder = checkouts(old, { ...bad, ...lax });
    const { code, stderr } = await bylaw(['validate', '../current/deploy', 'deploy'], { cwd: join(folder, 'proposed') });
    expect([code, stderr]).toEqual([1, 'note: the current side has no bylaw.yaml, so the defaults apply\n']);
  });

  it('takes the file that --config names', async () => {
    const folder = checkouts(old, { ...bad, ...lax });
    const { code, stderr } = await bylaw(['validate', 'current/deploy', 'proposed/deploy', '--config', 'proposed/bylaw.yaml'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('the report on suppressed findings', () => {
  it('is on standard error where the format has no place for it', async () => {
    const folder = folderOf({ 'a.yaml': pod('a', { annotation: 'CS-001=x' }), 'b.yaml': pod('b', { comment: 'CS-001 x' }) });
    const { stdout, stderr } = await bylaw(['evaluate', '.', '--rule', 'CS-001', '--format', 'gitlab'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toContain('note: Suppressed: 2 findings (annotation 1, comment 1) in a.yaml 1, b.yaml 1.\n');
    const none = await bylaw(['evaluate', '.', '--rule', 'CS-001', '--format', 'gitlab', '--no-exceptions'], { cwd: folder });
    expect([none.code, JSON.parse(none.stdout).length]).toEqual([1, 2]);
    expect(none.stderr).toContain('note: Would be suppressed if these exceptions counted: 2 findings (annotation 1, comment 1)');
  });
});
