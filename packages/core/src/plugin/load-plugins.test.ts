import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPlugins } from './load-plugins.js';
import { toolsOf } from './offered.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bylaw-plugins-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** What `FORMAT` and `ENDPOINT` stand for in the text of a module. */
const FORMAT = "({ name: 'lines', mediaType: 'text/plain', description: 'lines', fileExtension: 'txt', report: async () => {} })";

const ENDPOINT = "({ id: 'e', method: 'GET', path: '/api/v1/e', input: { type: 'object' }, output: { schema: {} }, run: () => ({}) })";

/** Writes a package whose module has this text, and answers its folder. */
async function plugin(name: string, module: string | undefined, manifest: object = { bylaw: './index.js' }): Promise<string> {
  const root = join(folder, name);
  await mkdir(root);
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: `bylaw-plugin-${name}`, version: '1.2.3', type: 'module', ...manifest }),
  );
  if (module !== undefined) await writeFile(join(root, 'index.js'), module.replaceAll('FORMAT', FORMAT).replaceAll('ENDPOINT', ENDPOINT));
  return root;
}

describe('loading plugins', () => {
  it('gives each plugin with its package, in the order asked for, and passes over packages that are none', async () => {
    const roots = [
      await plugin('b', "export default { name: 'b', serves() {}, start: async () => ({}) }"),
      await plugin('none', undefined, {}),
      await plugin(
        'a',
        "export default { name: 'a', rulePacks: [new URL('pack.jsonl', import.meta.url)], config: { a: { description: 'A.' } } }",
      ),
    ];
    const loaded = await loadPlugins(roots);
    expect(loaded.map(({ plugin: { name }, packageName, version, root }) => [name, packageName, version, root])).toEqual([
      ['b', 'bylaw-plugin-b', '1.2.3', roots[0]],
      ['a', 'bylaw-plugin-a', '1.2.3', roots[2]],
    ]);
  });

  it.each([
    ['no default export', 'export const plugin = {}', 'the default export of its module must be an object'],
    ['no name', 'export default {}', '`name` is missing'],
    ['a name with capitals', "export default { name: 'Nope' }", '`name` must be'],
    ['a misspelt member', "export default { name: 'x', tolls: [] }", 'it has the unknown member `tolls` (did you mean `tools`?).'],
    ['renderers that are no function', "export default { name: 'x', renderers: [] }", '`renderers` must be a function'],
    ['a condition that is no function', "export default { name: 'x', serves: {} }", '`serves` must be a function'],
    ['a rule pack that is no URL', "export default { name: 'x', rulePacks: ['./pack'] }", '`rulePacks` must be'],
    ['a rule pack from the network', "export default { name: 'x', rulePacks: [new URL('https://x.test/pack')] }", '`rulePacks` must be'],
    [
      'a tool without a handler',
      "export default { name: 'x', tools: [{ name: 't', description: '', inputSchema: { type: 'object' } }] }",
      '`tools` must be',
    ],
    [
      'an endpoint with a tool that has no usable name',
      "export default { name: 'x', endpoints: [{ ...ENDPOINT, tool: { name: 'Not Snake' } }] }",
      '`endpoints` must be',
    ],
    [
      'an endpoint whose thread has no module',
      "export default { name: 'x', endpoints: [{ ...ENDPOINT, thread: true }] }",
      '`endpoints` must be',
    ],
    ['an endpoint outside of the API', "export default { name: 'x', endpoints: [{ ...ENDPOINT, path: '/e' }] }", '`endpoints` must be'],
    ['a format of core', "export default { name: 'x', reporters: [{ ...FORMAT, name: 'sarif' }] }", '`reporters` must be'],
    ['a format that is no function', "export default { name: 'x', reporters: [{ ...FORMAT, report: 1 }] }", '`reporters` must be'],
    ['a format without a media type', "export default { name: 'x', reporters: [{ ...FORMAT, mediaType: '' }] }", '`reporters` must be'],
    ['two formats of one name', "export default { name: 'x', reporters: [FORMAT, FORMAT] }", 'it has `lines` twice'],
    ['a tag of core', "export default { name: 'x', tags: { rules: 'Rules.' } }", '`tags` must be'],
    ['a tag without a description', "export default { name: 'x', tags: { t: 1 } }", '`tags` must be'],
    ['a section without a description', "export default { name: 'x', config: { s: {} } }", '`config` must be'],
    ['a module that throws', "throw new Error('no luck')", 'Cannot load the plugin bylaw-plugin-broken: no luck'],
    ['a module that does not parse', 'export default {', 'Cannot load the plugin bylaw-plugin-broken: '],
  ])('names the plugin and the member for %s', async (_what, module, message) => {
    const root = await plugin('broken', module);
    await expect(loadPlugins([root])).rejects.toMatchObject({ code: 'plugin-invalid', message: expect.stringContaining(message) });
    await expect(loadPlugins([root])).rejects.toThrow('bylaw-plugin-broken');
  });

  it('loads tools when they are asked for, and holds them to the same form', async () => {
    const tool = "{ name: 't', description: '', inputSchema: { type: 'object' }, handler: async () => ({}) }";
    const roots = [
      await plugin('late', `export default { name: 'late', tools: async () => [${tool}] }`),
      await plugin('listed', `export default { name: 'listed', tools: [${tool}] }`),
      await plugin('wrong', "export default { name: 'wrong', tools: async () => [{ name: 't' }] }"),
    ];
    const [late, listed, wrong] = await loadPlugins(roots);
    if (!late || !listed || !wrong) throw new Error('three plugins were written');
    expect(await toolsOf(late)).toMatchObject([{ name: 't' }]);
    expect(await toolsOf(listed)).toMatchObject([{ name: 't' }]);
    await expect(toolsOf(wrong)).rejects.toMatchObject({ code: 'plugin-invalid', message: expect.stringContaining('bylaw-plugin-wrong') });
  });

  it('refuses a module that is missing, and a package.json that is wrong', async () => {
    await expect(loadPlugins([await plugin('absent', undefined)])).rejects.toMatchObject({ code: 'plugin-invalid' });
    await expect(loadPlugins([await plugin('number', undefined, { bylaw: 1 })])).rejects.toThrow('path of a module');
    await expect(loadPlugins([join(folder, 'nowhere')])).rejects.toMatchObject({ code: 'plugin-invalid' });
  });

  it('refuses two plugins of one name', async () => {
    const roots = [await plugin('one', "export default { name: 'x' }"), await plugin('two', "export default { name: 'x' }")];
    await expect(loadPlugins(roots)).rejects.toThrow('bylaw-plugin-one and bylaw-plugin-two');
  });

  it.each([
    ['compare: { member: "water", module: new URL("file:///a.js"), view: async () => ({}) }', 'both add `water` to comparisons'],
    ['reporters: [FORMAT]', 'both add the format `lines`'],
    ["tags: { things: 'Things.' }", 'both describe the tag `things`'],
  ])('refuses two plugins with the same %s', async (member, message) => {
    const roots = [
      await plugin('one', `export default { name: 'x', ${member} }`),
      await plugin('two', `export default { name: 'y', ${member} }`),
    ];
    await expect(loadPlugins(roots)).rejects.toMatchObject({
      code: 'plugin-invalid',
      message: `The plugins bylaw-plugin-one and bylaw-plugin-two ${message}.`,
    });
    expect(await loadPlugins(roots.slice(0, 1))).toHaveLength(1);
  });
});
