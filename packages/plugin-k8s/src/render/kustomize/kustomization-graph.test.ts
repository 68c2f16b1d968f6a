import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../testing/files.test-support.js';
import type { Kustomization } from './kustomization.js';
import { kustomizationsFrom, rootKustomizations } from './kustomization-graph.js';

describe('the roots among kustomizations', () => {
  it('are those that no other one builds upon', async () => {
    const folder = folderWith({
      'base/kustomization.yaml': 'resources: [../common, deployment.yaml]\n',
      'base/deployment.yaml': 'kind: Deployment\n',
      'common/kustomization.yml': 'resources: []\n',
      'dev/Kustomization': 'bases: [../base]\n',
      'prod/kustomization.yaml': 'resources: [../base/]\ncomponents: [../extra]\n',
      'extra/kustomization.yaml': 'kind: Component\nresources: [../only-for-extra]\n',
      'only-for-extra/kustomization.yaml': 'resources: []\n',
      'unused/kustomization.yaml': 'kind: Component\n',
      'flux/kustomization.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n',
      'broken/kustomization.yaml': 'resources: [\n',
      'plugins/kustomization.yaml': 'generators: [../generators]\n',
      'generators/kustomization.yaml': 'resources: []\n',
    });
    const all = ['base', 'broken', 'common', 'dev', 'extra', 'flux', 'generators', 'only-for-extra', 'plugins', 'prod', 'unused'];
    const roots = await rootKustomizations(all.map((name) => join(folder, name)));
    expect(roots).toEqual(['broken', 'dev', 'plugins', 'prod'].map((name) => join(folder, name)));
    expect(await rootKustomizations(['base', 'unused'].map((name) => join(folder, name)))).toEqual([join(folder, 'base')]);
  });

  it('reach every kustomization that is no component, also those that refer to each other in a circle', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async ({ edges, components }) => {
        const parts = await partsOfRoots(edges, components);
        for (const folder of FOLDERS) expect(parts.flat().includes(folder) || components.includes(folder)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('are no part of each other where there is no circle', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async ({ edges, components }) => {
        const parts = await partsOfRoots(
          edges.filter(([from, to]) => from < to),
          components,
        );
        for (const [root = ''] of parts) expect(parts.filter((part) => part.includes(root))).toHaveLength(1);
      }),
      { numRuns: 1000 },
    );
  });
});

const FOLDERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const graph = fc.record({
  edges: fc.array(fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...FOLDERS)), { maxLength: 12 }),
  components: fc.subarray(FOLDERS, { maxLength: 2 }),
});

type Edges = readonly [string, string][];

/** For each root itself, and what it builds on. */
async function partsOfRoots(edges: Edges, components: readonly string[]): Promise<string[][]> {
  const read = async (folder: string) => kustomization(folder, edges, components);
  const roots = await rootKustomizations(FOLDERS, read);
  return Promise.all(roots.map(async (root) => (await kustomizationsFrom([root], read)).map(({ folder }) => folder)));
}

function kustomization(folder: string, edges: Edges, components: readonly string[]): Kustomization {
  return {
    folder,
    file: 'kustomization.yaml',
    component: components.includes(folder),
    foreign: false,
    buildMetadata: [],
    charts: false,
    secrets: [],
    folders: edges.filter(([from]) => from === folder).map(([, to]) => to),
    files: [],
    data: [],
    targeted: [],
    remote: [],
  };
}
