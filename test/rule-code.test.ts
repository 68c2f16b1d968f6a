import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine, runExamples } from '@bylaw/core/evaluate';
import { REPORTERS } from '@bylaw/core/report';
import { discoverInputs } from '@bylaw/core/resource';
import { type Catalogue, loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { bylawAlone, folderOf, ROOT } from './run-cli.js';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "nginx:1.25" }] }\n';
const RULE = `id: ORG-001
severity: HIGH
title: Pods say who owns them
description: Nobody answers the pager of a pod without an owner.
targets: [PodSpec]
expression: podMetadata.?labels.?owner.hasValue() && text(object.?kind).matches("^(P|x*y)")
fix: Add the label owner.
examples:
  - fail: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [] } }
  - pass: { apiVersion: v1, kind: Pod, metadata: { name: a, labels: { owner: me } }, spec: { containers: [] } }
`;

const built = await loadCatalogue({ packs: RULE_PACKS });

/** The same rules without their code, which is in a folder beside each pack. */
async function asData(): Promise<Catalogue> {
  const copies = RULE_PACKS.map((pack) => {
    const copy = join(folderOf(), 'pack.jsonl');
    copyFileSync(fileURLToPath(pack), copy);
    return pathToFileURL(copy);
  });
  return loadCatalogue({ packs: copies });
}

async function reportOf(catalogue: Catalogue, folder: string): Promise<string> {
  const { inputs, errors } = await discoverInputs(['.'], { cwd: join(ROOT, folder) });
  const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
  let text = '';
  const out = {
    write: (chunk: string) => {
      text += chunk;
    },
  };
  const events = engine.evaluate({ inputs, inputErrors: errors, includePassed: true, threads: 0 });
  await REPORTERS.json.report(events, out, { version: '0', rules: engine.select(), colour: false, width: 80, verbose: true });
  return text;
}

/** The modules that a run of the command line loads. */
async function modulesOf(args: readonly string[]): Promise<string[]> {
  const folder = folderOf({
    'note.mjs': `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { appendFileSync(process.env.NOTED, url + '\\n'); return next(url, context); } });
`,
  });
  const noted = join(folder, 'modules.txt');
  const { stdout } = await bylawAlone(args, { env: { NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'note.mjs'))}`, NOTED: noted } });
  expect(stdout).toContain('CS-');
  return readFileSync(noted, 'utf8').trim().split('\n');
}

const COMPILER = /cel-js|re2js|cel\/compiler\.js/;

describe('the code of the built-in rules', () => {
  it.each(['examples/manifests', 'test/corpus'])('says what the compiled rules say about %s', async (folder) => {
    const report = await reportOf(built, folder);
    expect((JSON.parse(report) as { summary: { resources: number } }).summary.resources).toBeGreaterThan(50);
    expect(await reportOf(await asData(), folder)).toBe(report);
  });

  it('says what the compiled rules say about every example of every rule', async () => {
    const results = runExamples(built, built.rules);
    expect(results.length).toBeGreaterThan(2 * built.rules.length);
    expect(runExamples(await asData(), built.rules)).toEqual(results);
  });

  // What is undecided, such as a reference to an object that is not in the input, is left to the compiler.
  it.each([
    ['examples/manifests', []],
    ['test/corpus', ['--category', 'CS,SP,SC,RM,ST,OP,NS']],
  ])('evaluates %s without the compiler and its library: %j', async (folder, flags) => {
    const modules = await modulesOf(['evaluate', folder, '--threads', '1', ...flags]);
    expect(modules.filter((url) => /plugin-k8s\/dist\/pack\/pods\.cjs$/.test(url))).toHaveLength(1);
    expect(modules.filter((url) => /cel-js|cel\/compiler\.js/.test(url))).toEqual([]);
  });

  it('evaluates a Pod with the code that names Pods or every kind, without the compiler, its library and RE2', async () => {
    const modules = await modulesOf(['evaluate', join(folderOf({ 'pod.yaml': POD }), 'pod.yaml')]);
    const groups = new Set(modules.flatMap((url) => /dist\/pack\/(\w+)\.cjs$/.exec(url)?.[1] ?? []));
    expect([...groups].sort()).toEqual(['any', 'pods', 'several']);
    expect(modules.filter((url) => COMPILER.test(url))).toEqual([]);
  });

  it('leaves custom rules to the compiler', async () => {
    const folder = folderOf({ 'pod.yaml': POD, 'rules/org.yaml': RULE });
    const modules = await modulesOf(['evaluate', join(folder, 'pod.yaml'), '--rules', join(folder, 'rules')]);
    expect(modules.some((url) => /cel-js/.test(url))).toBe(true);
    expect(modules.some((url) => /re2js/.test(url))).toBe(true);
  });
});
