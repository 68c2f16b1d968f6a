import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { loadPlugins, type Plugin } from '@bylaw/core/plugin';
import { reportOf } from '@bylaw/core/report';
import { loadReaders, textInput, withReader } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { readYamlFile } from '@bylaw/core/yaml-file';
import { describe, expect, it } from 'vitest';
import { commandLinesIn, problemWith } from './command-lines.js';
import { anchorsOf, type Block, blocksOf, filesShownIn, linksOf } from './markdown.js';
import { bylaw, bylawAlone, folderOf, ROOT } from './run-cli.js';

/** The formats and the member of comparisons that a page shows the making of. */
function pluginMadeIn(text: string): Plugin {
  const [, member] = /^ +member: '([a-z_]+)'/m.exec(text) ?? [];
  const formats = [...text.matchAll(/defineReporter\(\{\s+name: '([a-z-]+)'/g)].map(([, name = '']) => name);
  const [module, report, view] = [new URL('file:///'), async () => undefined, () => Promise.reject(new Error('it is not shown'))];
  return {
    name: 'made',
    ...(member !== undefined && { compare: { member, module, view, increase: 'Made here.' } }),
    reporters: formats.map((name) => ({ name, mediaType: 'text/plain', description: 'made here', fileExtension: 'txt', report })),
  };
}

/** Folders without pages of ours. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', '.tsimp', '.changeset', '.bylaw', 'coverage']);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const pages = markdownFiles(ROOT).sort();
const texts = new Map(pages.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]));

describe('the documentation', () => {
  it('is found by this test', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'docs/README.md', 'docs/ci.md', 'docs/adr/0001-rules-as-data.md', 'packages/core/README.md']),
    );
  });

  it('has reference pages that are what the code would write today', () => {
    expect(() =>
      execFileSync(process.execPath, ['scripts/generate-docs.ts', '--check'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }),
    ).not.toThrow();
  });

  it('has only links that lead to a file, and to a heading of it', () => {
    expect(onEveryPage((page, text) => linksOf(text).flatMap((link) => brokenLink(page, link) ?? []))).toEqual([]);
  });

  it('shows only command lines that this version understands', () => {
    expect(
      onEveryPage((_page, text) => {
        // A page may show the making of a command before it shows its use.
        const made = [...text.matchAll(/^`commands\/([a-z]+)\.js`/gm)].map(([, name]) => name);
        const lines = commandLinesIn(text).filter(({ words: [name] }) => !made.includes(name));
        const plugin = { plugin: pluginMadeIn(text) };
        return lines.flatMap((line) => problemWith(line, [plugin]) ?? []);
      }),
    ).toEqual([]);
  });

  it('shows only YAML and JSON that parses', () => {
    expect(onEveryPage((_page, text) => blocksOf(text).flatMap((block) => syntaxProblem(block) ?? []))).toEqual([]);
  });

  it('names this version where it names one to install', () => {
    for (const page of pages.filter((file) => file === 'README.md' || file.startsWith('docs/')))
      for (const [named] of textOf(page).matchAll(/\bbylaw@[0-9][\w.-]*/g)) expect(`${page}: ${named}`).toBe(`${page}: bylaw@${version}`);
  });

  it('is linked from its index', () => {
    const linked = linksOf(textOf('docs/README.md')).map((link) => join('docs', link));
    const own = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/reference/rules/') && page !== 'docs/README.md');
    expect(own.filter((page) => !linked.includes(page))).toEqual([]);
  });
});

describe('what the documentation shows', () => {
  it('is the workflow that `bylaw init` writes', async () => {
    const cwd = folderOf();
    await bylaw(['init', '--yes', '--ci', 'github'], { cwd });
    const written = readFileSync(join(cwd, '.github/workflows/bylaw.yaml'), 'utf8');
    expect(blocksOf(textOf('docs/ci.md')).map(({ text }) => text)).toContain(written);
  });

  it('has the job that `bylaw init` writes for GitLab, and more', async () => {
    const cwd = folderOf();
    await bylaw(['init', '--yes', '--ci', 'gitlab'], { cwd });
    const written = readFileSync(join(cwd, '.gitlab/bylaw.yaml'), 'utf8')
      .replace(/^#.*\n/gm, '')
      .split('\n');
    const shown = blocksOf(textOf('docs/ci.md'))
      .find(({ text }) => text.includes('codequality:'))
      ?.text.split('\n');
    expect(shown).toEqual(expect.arrayContaining(written));
  });

  it('has a rule in the README that does what its examples say', async () => {
    const folder = folderOf(filesShownIn(textOf('README.md'), /^rules\/.*\.yaml$/));
    const { code, stdout } = await bylawAlone(['rules', 'test', 'rules'], { cwd: folder });
    expect(stdout).toBe('1 rule, 2 examples: 2 passed.\n');
    expect(code).toBe(0);
  });

  it('has a plugin that builds, follows the contract and has a rule that does what its examples say', async () => {
    const files = filesShownIn(textOf('docs/plugins.md'), /^(?!bylaw\.yaml).*\.(?:json|js|yaml)$/);
    expect(Object.keys(files)).toHaveLength(9);
    const folder = folderOf(files);
    mkdirSync(join(folder, 'node_modules', '@bylaw'), { recursive: true });
    symlinkSync(join(ROOT, 'packages', 'core'), join(folder, 'node_modules', '@bylaw', 'core'), 'dir');
    execFileSync(process.execPath, ['build.js'], { cwd: folder });
    expect(readFileSync(join(folder, 'pack.jsonl'), 'utf8')).toContain('ACME-001');
    const [installed] = await loadPlugins([folder]);
    expect(installed).toMatchObject({
      packageName: 'bylaw-plugin-acme',
      plugin: { name: 'acme', endpoints: [{ tool: { name: 'list_owner_rules' } }] },
    });
    expect((await bylaw(['rules', 'test', join(folder, 'rules')])).code).toBe(0);
    const readers = await loadReaders((installed?.plugin.readers ?? []).map(({ href }) => href));
    const inputs = [withReader(textInput('shop/a.inventory', 'web payments\ncart ?\njobs nobody\n'), readers)];
    const packs = [new URL('pack.jsonl', pathToFileURL(`${folder}/`))];
    const engine = createEngine({ catalogue: await loadCatalogue({ packs }), clock: fixedClock('2026-01-01T00:00:00Z') });
    const report = await reportOf(engine.evaluate({ inputs, threads: 0 }));
    expect(report.findings).toMatchObject([{ resource: { name: 'jobs' }, location: { file: 'shop/a.inventory', line: 3, column: 6 } }]);
    expect(report.undecided).toMatchObject([{ resource: { name: 'cart' }, message: 'The team is not assigned yet.' }]);
  });
});

describe('the reading of command lines', () => {
  it('finds them in blocks and in sentences', () => {
    const page =
      'Use `bylaw rules --id CS-001`.\n\n```console\n$ cat x | node bin/run.js evaluate - > out\nbylaw listens\n```\n\n```yaml\n- run: npx --yes bylaw@0.1.0 evaluate . --format sarif\n```\n';
    expect(commandLinesIn(page).map(({ words }) => words)).toEqual([
      ['evaluate', '-'],
      ['evaluate', '.', '--format', 'sarif'],
      ['rules', '--id', 'CS-001'],
    ]);
  });

  it.each([
    ['evalute .', 'no such command'],
    ['evaluate . --formt json', 'no flag --formt'],
    ['evaluate -x', 'no flag -x'],
    ['evaluate --format jsn', 'does not know jsn'],
    ['validate a b c', 'takes 2 arguments'],
    ['plugins instal x', 'takes 0 arguments'],
  ])('refuses `bylaw %s`', (text, problem) => {
    expect(problemWith({ shown: text, words: text.split(' ') })).toContain(problem);
  });

  it('finds those of the README', () => {
    expect(commandLinesIn(textOf('README.md')).length).toBeGreaterThan(15);
  });
});

/** What is wrong, with the page that it is on. */
function onEveryPage(problems: (page: string, text: string) => string[]): string[] {
  return pages.flatMap((page) => problems(page, textOf(page)).map((problem) => `${page}: ${problem}`));
}

function textOf(page: string): string {
  return texts.get(page) ?? '';
}

/** Paths below the folder, with slashes, of every page that is ours. */
function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(ROOT, path).replaceAll('\\', '/')] : [];
  });
}

function brokenLink(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), decodeURI(path));
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || anchorsOf(textOf(target)).has(anchor)) return undefined;
  return `${link}: ${target} has no such heading`;
}

function syntaxProblem({ language, text, line }: Block): string | undefined {
  try {
    if (language === 'json') parseJson(text);
    if (language === 'yaml') readYamlFile('block', text, 'config-invalid');
    return undefined;
  } catch (error) {
    return `line ${line}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** One value, or one value a line. */
function parseJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    for (const line of text.trim().split('\n')) JSON.parse(line);
  }
}
