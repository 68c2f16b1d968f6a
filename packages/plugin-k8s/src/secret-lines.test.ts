import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { type Input, textInput } from '@bylaw/core/resource';
import { catalogueOf, packInMemory } from '@bylaw/core/rule';
import { readPack } from '@bylaw/core/rule/compiler';
import { expect, it } from 'vitest';

const { pack } = await readPack(fileURLToPath(new URL('../rules', import.meta.url)), createEvaluator(), { displayAs: 'rules' });
const catalogue = catalogueOf([packInMemory(pack)], { packs: [], ruleDirs: [] });

/** What one rule finds: line, column and path. */
async function found(rule: string, input: Input): Promise<string[]> {
  const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
  const places: string[] = [];
  for await (const event of engine.evaluate({ inputs: [input], filter: { rules: [rule] }, threads: 0 }))
    if (event.type === 'findings')
      places.push(...event.batch.findings().map(({ location, path }) => `${location?.line}:${location?.column} ${path}`));
  return places;
}

const CONFIG_MAP = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  plain.password: hunter2
  app.yaml: |
    mode: fast

    smtp:
      user: shop
      password: hunter2
    upstream: redis://:hunter2@cache
  nginx.conf: |-
    # the shop
    proxy_set_header Authorization "Basic c2hvcDpodW50ZXIy";
  kubeconfig: |
    kind: Config
    users:
    - name: admin
      user:
        token: abcdef
  quoted: "a: 1\\npassword: hunter2"
`;

it.each([
  ['SP-009', ['13:5 /data/app.yaml']],
  ['SP-010', ['6:3 /data/plain.password', '12:7 /data/app.yaml', '23:11 /data/quoted']],
  ['SP-011', ['16:5 /data/nginx.conf', '22:9 /data/kubeconfig']],
])('locates %s at the line of the block scalar that holds the secret', async (rule, places) => {
  expect(await found(rule, textInput('a.yaml', CONFIG_MAP))).toEqual(places);
});

it('locates it in an item of a List, too', async () => {
  const indented = CONFIG_MAP.trimEnd().replaceAll('\n', '\n  ');
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${indented}\n`;
  expect(await found('SP-011', textInput('a.yaml', list))).toEqual(['19:7 /data/nginx.conf', '25:11 /data/kubeconfig']);
});

it('locates it at the start of the value in JSON, and at the start of the file in a rendered text', async () => {
  const json = '{\n"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},\n"data": {"a": "x: 1\\npassword: hunter2"}\n}';
  expect(await found('SP-010', textInput('a.json', json))).toEqual(['3:15 /data/a']);
  expect(await found('SP-010', textInput('chart/a.yaml', CONFIG_MAP, { rendered: 'chart' }))).toEqual([
    '1:1 /data/app.yaml',
    '1:1 /data/plain.password',
    '1:1 /data/quoted',
  ]);
});

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: app
      image: nginx
      command: [server]
      args:
        - --port=80
        - --token
        - s3cr3t
        - --user=$(DB_PASSWORD)
      env:
        - name: DB_PASSWORD
          valueFrom: { secretKeyRef: { name: s, key: k } }
        - name: SIGNER
          value: |
            # the key
            AKIAQWERTYUIOPASDFGH
    - name: script
      image: cli
      command:
        - sh
        - -c
        - |
          set -e
          export DB_PASSWORD=hunter2
          exec server $(TOKEN)
      env:
        - name: TOKEN
          valueFrom: { secretKeyRef: { name: s, key: k } }
`;

it.each([
  ['SP-002', ['21:13 /spec/containers/0/env/1/value']],
  ['SP-005', ['13:11 /spec/containers/0/args/2', '29:11 /spec/containers/1/command/2']],
  ['SP-006', ['14:11 /spec/containers/0/args/3', '30:11 /spec/containers/1/command/2']],
])('locates %s at the argument, and at its line in a script', async (rule, places) => {
  expect(await found(rule, textInput('a.yaml', POD))).toEqual(places);
});
