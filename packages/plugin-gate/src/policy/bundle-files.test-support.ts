import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their path; what is not a text is written as JSON, which is YAML. */
export type TestFiles = { readonly [path: string]: string | Uint8Array | object };

const folders: string[] = [];

/** Writes the files of a bundle into a new folder. */
export async function writeBundle(files: TestFiles): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-bundle-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

export async function removeBundles(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

export const HEAD = { apiVersion: 'bylaw.dev/v1', kind: 'Bundle', id: 'acme', version: '1.2.3' };

export function policyFile(id: string, spec: object, metadata: object = {}): object {
  return {
    apiVersion: 'bylaw.dev/v1',
    kind: 'Policy',
    metadata: { id, title: `The policy ${id}`, ...metadata },
    spec: { effect: 'allow', message: `This is ${id}.`, ...spec },
  };
}
