import { join } from 'node:path';
import { loadConfig } from '@bylaw/core/config';
import { expect, it, vi } from 'vitest';
import { RENDER_SECTION } from '../config/render-section.js';
import { renderersOf } from './index.js';
import { folderWith, nodeProgram } from './testing/files.test-support.js';
import { OPTIONS } from './testing/render.test-support.js';

/** The renderers of a project with this configuration. */
async function renderers(config: string, env: { [name: string]: string } = {}) {
  const cwd = folderWith({ 'bylaw.yaml': config, 'chart/Chart.yaml': '' });
  const loaded = await loadConfig({ cwd, env: {}, plugins: [{ plugin: 'k8s', sections: RENDER_SECTION }] });
  return { cwd, renderers: renderersOf({ config: loaded.config, base: loaded.base, env }) };
}

it('are helm and kustomize, unless the configuration turns rendering off', async () => {
  expect((await renderers('{}')).renderers.map(({ name }) => name)).toEqual(['helm', 'kustomize']);
  expect((await renderers('render: {enabled: false}')).renderers).toEqual([]);
});

it('take the settings of the configuration, with paths from its folder', async () => {
  const program = nodeProgram(folderWith(), 'helm', 'console.error(process.argv.slice(2).join(" ")); process.exit(1)');
  const config = 'render: {helm: {release: shop, values: [a/b.yaml], kube_version: "1.30", api_versions: [x/v1], tests: true}}';
  const found = await renderers(config, { SVC_HELM: program });
  const rendered = await found.renderers[0]?.render(join(found.cwd, 'chart'), 'chart', OPTIONS);
  expect(rendered?.errors[0]?.message).toContain(
    `template --include-crds --namespace=default --values=${found.cwd}/a/b.yaml --kube-version=1.30 --api-versions=x/v1 -- shop chart`,
  );
});

it('say it when not even the program can be started', async () => {
  const found = await renderers('{}', { SVC_HELM: process.execPath });
  vi.stubEnv('TMPDIR', join(found.cwd, 'none'));
  const rendered = await found.renderers[0]?.render(join(found.cwd, 'chart'), 'chart', OPTIONS).finally(vi.unstubAllEnvs);
  expect(rendered).toMatchObject({ inputs: [], covers: [], errors: [{ code: 'render-failed', location: { file: 'chart' } }] });
});
