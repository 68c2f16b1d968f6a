import { describe, expect, it } from 'vitest';
import { inputsByTemplate } from './helm-output.js';

async function split(output: string, shown = 'apps/web') {
  const inputs = inputsByTemplate(output, shown);
  return Promise.all(
    inputs.map(async ({ file, open, rendered }) => [file, Buffer.concat(await Array.fromAsync(open())).toString(), rendered]),
  );
}

describe('what helm template writes', () => {
  it('is told apart by the templates that it was made from, as paths below the chart', async () => {
    const output = '---\n# Source: web/templates/b.yaml\nkind: B\n---\n# Source: web/charts/db/templates/a.yaml\nkind: A\n';
    expect(await split(output)).toEqual([
      ['apps/web/charts/db/templates/a.yaml', '---\nkind: A\n\n', 'apps/web'],
      ['apps/web/templates/b.yaml', '---\nkind: B\n\n', 'apps/web'],
    ]);
    expect((await split(output, '.')).map(([file]) => file)).toEqual(['charts/db/templates/a.yaml', 'templates/b.yaml']);
    expect((await split(output, '../x')).map(([file]) => file)).toEqual(['../x/charts/db/templates/a.yaml', '../x/templates/b.yaml']);
  });

  it('keeps the documents of one template together, also those without a header of their own', async () => {
    const output =
      '---\n# Source: web/crds/c.yaml\nkind: A\n---\nkind: B\n---\n# Source: web/templates/x.yaml\nkind: X\n---\n# Source: web/crds/c.yaml\nkind: C\n';
    expect((await split(output))[0]).toEqual(['apps/web/crds/c.yaml', '---\nkind: A\n---\nkind: B\n\n---\nkind: C\n\n', 'apps/web']);
  });

  it('stands under the chart where it names no template of it', async () => {
    for (const source of ['web', 'web/../../etc/passwd', 'web//x', '/etc/passwd/..'])
      expect((await split(`---\n# Source: ${source}\nkind: A\n`)).map(([file]) => file)).toEqual(['apps/web/Chart.yaml']);
    expect(await split('kind: A\n')).toEqual([['apps/web/Chart.yaml', '---\nkind: A\n\n', 'apps/web']]);
  });

  it('may be nothing', async () => {
    expect(await split('')).toEqual([]);
    expect(await split('\n')).toEqual([]);
  });
});
