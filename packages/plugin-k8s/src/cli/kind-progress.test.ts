import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { servedKind } from '../cluster/testing/kinds.test-support.js';
import { configMaps } from '../cluster/testing/objects.test-support.js';
import type { KindPage } from '../scan/index.js';
import { kindProgress } from './kind-progress.js';

function progress({ stderr, stdout = false }: { stderr: boolean; stdout?: boolean }) {
  const stream = new PassThrough();
  const shown = kindProgress({ stderr: Object.assign(stream, { isTTY: stderr }), stdout: { isTTY: stdout } });
  return { ...shown, text: () => String(stream.read() ?? '') };
}

const page = (resource: string, objects: number): KindPage => {
  const served = servedKind(resource);
  return { kind: { name: served.kind, served }, namespace: undefined, objects: configMaps(objects), resourceVersion: '1' };
};

it('tells each kind that has objects, with their number, once it is listed', () => {
  const { onListed, stop, text } = progress({ stderr: true });
  for (const each of [page('configmaps', 500), page('configmaps', 1), page('secrets', 0), page('pods', 1)]) onListed(each);
  stop();
  stop();
  expect(text()).toBe('ConfigMap: 501 objects\nPod: 1 object\n');
});

it('says nothing where nobody looks', () => {
  const { onListed, stop, text } = progress({ stderr: false });
  onListed(page('pods', 3));
  stop();
  expect(text()).toBe('');
});

it('gives way to a report on the same terminal', () => {
  const written: string[] = [];
  const { onListed, around, text } = progress({ stderr: true, stdout: true });
  onListed(page('configmaps', 2));
  void around({ write: (chunk) => void written.push(chunk) }).write('report');
  onListed(page('pods', 3));
  onListed(page('secrets', 3));
  expect(text()).toBe('ConfigMap: 2 objects\n');
  expect(written).toEqual(['report']);
});
