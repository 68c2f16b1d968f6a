import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf, ROOT } from './run-cli.js';

const SHOP = readFileSync(join(ROOT, 'docs/graph/shop.yaml'), 'utf8');

/** What is read of a graph in JSON; its schema says more. */
interface Graph {
  nodes: { id: string; presence: string; checked: boolean | null; evaluated: boolean | null; worst: string | null }[];
  edges: { kind: string; from: string; to: string; target: string; worst: string | null; rules: { rule_id: string }[] }[];
  legend: { errors: { code: string }[]; notes: { code: string }[]; unchecked: { kind: string }[]; not_drawn: { kind: string }[] };
}

const graphIn = (cwd: string, file = 'graph.json'): Graph => JSON.parse(readFileSync(join(cwd, file), 'utf8'));

describe('bylaw evaluate --graph', () => {
  it('writes a picture, JSON that matches the published schema, or a flowchart, beside the same report', async () => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const plain = await bylaw(['evaluate', 'shop.yaml', '--json'], { cwd });
    for (const file of ['graph.svg', 'graph.json', 'graph.MMD']) {
      const drawn = await bylaw(['evaluate', 'shop.yaml', '--json', '--graph', file], { cwd });
      expect(drawn).toEqual({ ...plain, stderr: expect.stringMatching(new RegExp(`^wrote ${file}: \\d+ nodes, \\d+ edges\n$`)) });
    }
    expect(readFileSync(join(cwd, 'graph.svg'), 'utf8')).toMatch(/^<svg class="chart" xmlns=/);
    expect(readFileSync(join(cwd, 'graph.MMD'), 'utf8')).toMatch(/^flowchart LR\n/);
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/reference/graph.schema.json'), 'utf8'));
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema);
    expect(validate(graphIn(cwd)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('draws what is not in the input, as missing where the input is complete, with the findings on the edges', async () => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const edges = () =>
      graphIn(cwd).edges.map(({ from, to, target, rules }) => [from, to, target, rules.map(({ rule_id }) => rule_id)].join(' '));
    await bylawAlone(['evaluate', 'shop.yaml', '--graph', 'graph.json'], { cwd });
    expect(edges()).toContain('Deployment/shop/api ServiceAccount/shop/api outside ');
    expect(edges()).toContain('Ingress/shop/shop Service/shop/web input ');
    await bylaw(['evaluate', 'shop.yaml', '--complete', '--graph', 'graph.json'], { cwd });
    expect(edges()).toContain('Deployment/shop/api ServiceAccount/shop/api missing RL-050');
    expect(edges()).toContain('Ingress/shop/shop Service/shop/legacy missing RL-046');
    expect(edges()).toContain('HorizontalPodAutoscaler/shop/worker Deployment/shop/worker missing RL-013');
    expect(edges()).toContain('Service/shop/reports Pods/shop/app=report missing RL-044');
  });

  it('writes the same bytes for the same input, on any number of threads, and from standard input', async () => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const written = async (args: string[], input = '') => {
      await bylaw(['evaluate', ...args, '--graph', 'graph.json'], { cwd, input });
      return readFileSync(join(cwd, 'graph.json'), 'utf8');
    };
    const first = await written(['shop.yaml']);
    expect(await written(['shop.yaml'])).toBe(first);
    expect(await written(['shop.yaml', '--threads', '3'])).toBe(first);
    expect((await written(['-'], SHOP)).replaceAll('"<stdin>"', '"shop.yaml"')).toBe(first);
  });

  it('draws the picture of the guide', async () => {
    const file = join(folderOf(), 'shop.svg');
    await bylaw(['evaluate', 'docs/graph/shop.yaml', '--complete', '--graph', file]);
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(ROOT, 'docs/graph/shop.svg'), 'utf8'));
  });

  it('names what was not read and what no rule checks', async () => {
    const cwd = folderOf({
      'shop.yaml': SHOP,
      'broken.yaml': 'a: [\n',
      'other.yaml': '{ apiVersion: example.com/v1, kind: Pool, metadata: { name: p } }\n',
      'README.md': 'x',
    });
    const { code } = await bylaw(['evaluate', '.', '--graph', 'graph.json'], { cwd });
    expect(code).toBe(2);
    const { legend, nodes } = graphIn(cwd);
    expect(legend.errors.map((error) => error.code)).toEqual(['yaml-syntax']);
    expect(legend.notes.map((note) => note.code)).toContain('files-skipped');
    expect(legend.unchecked.map(({ kind }) => kind)).toContain('example.com/Pool');
    expect(legend.not_drawn.map(({ kind }) => kind)).toContain('example.com/Pool');
    expect(nodes.find(({ id }) => id === 'Deployment/shop/web')?.checked).toBe(true);
    expect((await bylaw(['evaluate', '.', '--rule', 'RL-044', '--graph', 'graph.json'], { cwd })).code).toBe(2);
    expect(graphIn(cwd).nodes.find(({ id }) => id === 'Deployment/shop/web')?.checked).toBe(false);
  });

  it('marks what --changed-since has not evaluated', async () => {
    const cwd = folderOf({ 'old.yaml': '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: web } }\n' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', cwd, '-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], {
        stdio: 'pipe',
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    writeFileSync(
      join(cwd, 'new.yaml'),
      '{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { serviceAccountName: web, containers: [{ name: a, image: a }] } }\n',
    );
    await bylaw(['evaluate', '.', '--changed-since', 'HEAD', '--graph', 'graph.json'], { cwd });
    const { nodes, edges } = graphIn(cwd);
    expect(nodes.map(({ id, evaluated, checked }) => [id, evaluated, checked])).toEqual([
      ['Pod/default/web', true, true],
      ['ServiceAccount/default/web', false, null],
    ]);
    expect(edges.map(({ target }) => target)).toEqual(['input']);
  });
});

describe('the file of a graph', () => {
  it.each(['graph', 'graph.png', 'graph.svg.gz', '.svg/graph', ''])('must have an ending that names a format: %j', async (file) => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const { code, stdout, stderr } = await bylaw(['evaluate', 'shop.yaml', '--json', '--graph', file], { cwd });
    const message = `Cannot write a graph to ${JSON.stringify(file)}: the file name must end with .svg, .json or .mmd.`;
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'graph-format-unknown', message });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('is not one of the inputs, nor the file of another flag', async () => {
    const cwd = folderOf({ 'pod.json': '{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" } }' });
    const before = readFileSync(join(cwd, 'pod.json'), 'utf8');
    const input = await bylaw(['evaluate', '.', '--graph', 'pod.json'], { cwd });
    expect(input.stderr).toContain('pod.json is also an input and would be overwritten.');
    expect(readFileSync(join(cwd, 'pod.json'), 'utf8')).toBe(before);
    for (const flag of ['--output', '--write-baseline']) {
      const { code, stderr } = await bylaw(['evaluate', 'pod.json', '--format', 'json', flag, './same.json', '--graph', 'same.json'], {
        cwd,
      });
      expect(stderr).toContain('--graph and another flag name the same file, same.json.');
      expect(code).toBe(2);
      expect(existsSync(join(cwd, 'same.json'))).toBe(false);
    }
  });

  it('that cannot be written is an error after the report, which is not lost', async () => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const missing = await bylaw(['evaluate', 'shop.yaml', '--json', '--output', 'report.json', '--graph', 'gone/graph.svg'], { cwd });
    expect(missing.stderr).toContain('"code":"output-unwritable","message":"Cannot write gone/graph.svg: its folder does not exist."');
    expect(missing.code).toBe(2);
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toHaveProperty('findings');
    mkdirSync(join(cwd, 'graph.svg'));
    chmodSync(join(cwd, 'graph.svg'), 0o700);
    const folder = await bylaw(['evaluate', 'shop.yaml', '--json', '--graph', 'graph.svg'], { cwd });
    expect(folder.stderr).toContain('Cannot write graph.svg: it is a folder.');
    expect(JSON.parse(folder.stdout)).toHaveProperty('findings');
  });

  it('is not written through a link that leads out of the working directory', async () => {
    const outside = folderOf({ 'precious.svg': 'precious' });
    const cwd = folderOf({ 'shop.yaml': SHOP });
    symlinkSync(join(outside, 'precious.svg'), join(cwd, 'graph.svg'));
    const { code, stderr, stdout } = await bylaw(['evaluate', 'shop.yaml', '--graph', 'graph.svg'], { cwd });
    expect(stderr).toContain('a symbolic link in this path leads out of the working directory');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(readFileSync(join(outside, 'precious.svg'), 'utf8')).toBe('precious');
  });

  it('is not written by --fix, which says so', async () => {
    const cwd = folderOf({ 'shop.yaml': SHOP });
    const { code, stderr } = await bylaw(['evaluate', 'shop.yaml', '--fix', '--graph', 'graph.svg'], { cwd });
    expect(stderr).toContain('--graph cannot be used together with --fix');
    expect(code).toBe(2);
    expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toBe(SHOP);
  });
});
