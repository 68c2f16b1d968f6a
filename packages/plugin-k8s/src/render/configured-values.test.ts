import { join } from 'node:path';
import { loadConfig } from '@bylaw/core/config';
import { describe, expect, it } from 'vitest';
import { RENDER_SECTION, renderConfigOf } from '../config/render-section.js';
import { folderWith } from './testing/files.test-support.js';

const load = (cwd: string, env = {}) => loadConfig({ cwd, env, plugins: [{ plugin: 'k8s', sections: RENDER_SECTION }] });

describe('the files of values in a configuration', () => {
  it('are in the repository of a configuration that was found', async () => {
    const at = folderWith({
      'secret.yaml': 'password: S3CRET\n',
      'repo/.git/HEAD': '',
      'repo/bylaw.yaml': 'render:\n  helm:\n    values: [values.yaml, ../secret.yaml]\n',
    });
    await expect(load(join(at, 'repo'))).rejects.toMatchObject({
      code: 'config-path-outside',
      message: expect.stringContaining('`render.helm.values` (/render/helm/values/1)'),
      location: { file: 'bylaw.yaml', line: 3, column: 27 },
      hint: 'Use a path inside. For a path outside, pass --helm-values.',
    });
    const { config, base } = await load(join(at, 'repo'), { SVC_CONFIG: 'bylaw.yaml' });
    expect(renderConfigOf(config, base).helm.values).toEqual([join(at, 'repo/values.yaml'), join(at, 'secret.yaml')]);
  });
});
