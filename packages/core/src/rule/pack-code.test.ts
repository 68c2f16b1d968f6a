import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadArtefact } from './artefact.js';
import { catalogueOf } from './catalogue.js';
import { codeGroups } from './code-groups.js';
import { compileBuiltInPack, compilePack } from './compile.js';

const RULE = `severity: HIGH
title: Objects say who owns them
description: Nobody answers the pager of an object without an owner.
fix: Add the label owner.
examples:
  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [] } }
  - pass: { apiVersion: v1, kind: Pod, metadata: { name: a, labels: { owner: me } }, spec: { containers: [] } }
`;
const OWNED = 'object.?metadata.?labels.?owner.hasValue()';
const HOSTILE = `text(object.?kind) != "*/ \${x} \u2028 ' \` \\\\" && ${OWNED}`;

async function rules(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bylaw-code-'));
  await writeFile(join(directory, 'a.yaml'), `id: ORG-001\ntargets: [PodSpec]\nexpression: ${OWNED}\n${RULE}`);
  await writeFile(join(directory, 'b.yaml'), `id: ORG-002\ntargets: [Secret]\nexpression: ${JSON.stringify(HOSTILE)}\n${RULE}`);
  return directory;
}

/** A pack as the build writes it. */
async function builtPack(change: (artefact: string) => string = (artefact) => artefact) {
  const { artefact, modules } = await compileBuiltInPack(await rules());
  const directory = await mkdtemp(join(tmpdir(), 'bylaw-code-'));
  for (const { file, text } of modules) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), text);
  }
  const file = join(directory, 'pack.jsonl');
  await writeFile(file, change(artefact));
  return { directory, url: pathToFileURL(file), files: modules.map((module) => module.file) };
}

/** Whether the pack gives code for an expression, and what the expression says of an object with an owner and one without. */
function use(url: URL, source = OWNED) {
  const pack = loadArtefact(url);
  const program = catalogueOf([pack], { packs: [], ruleDirs: [] }).evaluator.compile(source, {
    variables: ['object', 'podSpec'],
    maxNodes: 2000,
    maxNesting: 3,
  });
  const results = [{ metadata: { labels: { owner: 'me' } } }, {}].map((object) => program.evaluate({ object }));
  return { code: (pack.code ?? []).some((code) => code.find(source) !== undefined), results };
}

describe('the code of a pack', () => {
  it('is the same bytes for the same rules', async () => {
    const directory = await rules();
    const pack = await compileBuiltInPack(directory);
    expect(await compileBuiltInPack(directory)).toEqual(pack);
    expect(pack.modules.map(({ file }) => file)).toEqual(['pack/kubernetes.cjs', 'pack/pods.cjs']);
  });

  it('names its compiler: package, version and a digest of what code can call', async () => {
    const { url } = await builtPack();
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
    const header: unknown = JSON.parse((await readFile(url, 'utf8')).split('\n')[0] ?? '');
    expect(header).toMatchObject({ code: { compiler: { name: '@bylaw/core', version, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } } });
  });

  it('runs, whatever characters its expressions have', async () => {
    const { url } = await builtPack();
    expect(use(url)).toEqual({ code: true, results: [true, false] });
    expect(use(url, HOSTILE)).toEqual({ code: true, results: [true, false] });
  });

  it('is not used for an expression that may not read the same variables', async () => {
    const { url } = await builtPack();
    const { evaluator } = catalogueOf([loadArtefact(url)], { packs: [], ruleDirs: [] });
    expect(() => evaluator.compile(OWNED, { variables: ['podSpec'], maxNodes: 2000, maxNesting: 3 })).toThrow("unknown name 'object'");
  });

  it.each([
    ['version', (text: string) => text.replace(/"version":"[^"]*"/, '"version":"0.0.0"')],
    ['digest', (text: string) => text.replace(/"digest":"[^"]*"/, '"digest":"0"')],
    ['name', (text: string) => text.replace('"name":"@bylaw/core"', '"name":"@example/core"')],
  ])('stays data when the %s of its compiler is not that of this one', async (_part, change) => {
    const { url } = await builtPack(change);
    expect(use(url)).toEqual({ code: false, results: [true, false] });
  });

  it('does not run when a module is not the one that the pack was built with', async () => {
    const { directory, url, files } = await builtPack();
    for (const file of files) await writeFile(join(directory, file), 'throw new Error("it ran")');
    expect(use(url)).toEqual({ code: false, results: [true, false] });
  });

  it('is done without when a module is missing', async () => {
    const { directory, url } = await builtPack();
    await rm(join(directory, 'pack'), { recursive: true });
    expect(use(url)).toEqual({ code: false, results: [true, false] });
  });

  it('is not in a pack that the project does not ship', async () => {
    const directory = await rules();
    const file = join(directory, 'pack.jsonl');
    await writeFile(file, await compilePack(directory));
    expect(loadArtefact(pathToFileURL(file)).code).toBeUndefined();
  });
});

describe('a group of expressions', () => {
  const groupsOf = (...logics: [targets: string[], expression: string][]) =>
    Object.fromEntries(
      [...codeGroups([{ logic: logics.map(([targets, expression]) => ({ targets, expression })) }])].map(([group, expressions]) => [
        group,
        expressions.map(({ source }) => source),
      ]),
    );

  it('holds those of rules for the same kinds', () => {
    expect(
      groupsOf(
        [['PodSpec', 'Deployment +set'], 'a'],
        [['Secret', 'Role'], 'b'],
        [['example.com/*', 'example.org/Thing'], 'c'],
        [['aws_s3_bucket'], 'd'],
        [['*'], 'e'],
      ),
    ).toEqual({ any: ['e'], aws: ['d'], custom: ['c'], kubernetes: ['b'], pods: ['a'] });
  });

  it('of its own holds each expression that several groups need', () => {
    expect(groupsOf([['PodSpec'], 'a'], [['Secret'], 'a'], [['PodSpec', 'Secret'], 'b'], [['PodSpec'], 'c'], [['PodSpec'], 'c'])).toEqual({
      pods: ['c'],
      several: ['a', 'b'],
    });
  });
});
