import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outputPlace } from '@bylaw/core/command/output';
import { gateError } from '../../error-table.js';
import { isJsonObject, type JsonObject, parseIJson } from '../../json/index.js';
import { bundleDigest, readBundleFiles, SAMPLE_BUNDLE } from '../../policy/index.js';

/** Names below the folder of the configuration. */
export const INIT_FILES = { config: 'bylaw.yaml', bundle: 'policies', proposal: 'first-proposal.json' } as const;

const MANIFEST = `# Written by \`bylaw gate init\`. Change the policies and their tests, and run \`bylaw policy test\`.
apiVersion: bylaw.dev/v1
kind: Bundle
id: starter
version: 1.0.0
title: Reads are allowed, production needs an approval, destruction and unknown commands are denied.
default: deny
`;

/** The policies of dev mode under a name of their own. */
async function starterBundle(): Promise<Map<string, Uint8Array>> {
  const files = new Map(await readBundleFiles(SAMPLE_BUNDLE));
  files.delete('README.md');
  files.set('bundle.yaml', Buffer.from(MANIFEST));
  return files;
}

/**
 * Whether the bundle is there already, as an interrupted run left it.
 * @throws {BylawError} AG-CFG-008 if something else has its place
 */
export async function hasStarterBundle(folder: string): Promise<boolean> {
  const path = join(folder, INIT_FILES.bundle);
  if (!(await exists(path))) return false;
  const files = await readBundleFiles(path).catch(() => undefined);
  if (files && bundleDigest(files) === bundleDigest(await starterBundle())) return true;
  throw taken(INIT_FILES.bundle);
}

/** Writes the bundle beside its place and then moves it there: the folder has the whole bundle, or does not exist. */
export async function writeStarterBundle(folder: string): Promise<void> {
  const path = await outputPlace(join(folder, INIT_FILES.bundle));
  const draft = join(folder, `.${INIT_FILES.bundle}.${process.pid}.new`);
  await rm(draft, { recursive: true, force: true });
  try {
    for (const [name, content] of await starterBundle()) {
      await mkdir(dirname(join(draft, name)), { recursive: true });
      await writeNew(join(draft, name), content, 0o644);
    }
    // A folder that has come up meanwhile stays: a rename replaces only an empty one.
    await rename(draft, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A proposal that the bundle denies, whatever else is configured. */
function firstProposal(id: string): JsonObject {
  return {
    id,
    principal: { id: 'ann@example.com', type: 'human' },
    agent: { id: 'shell-agent' },
    action: { type: 'tool.shell', resource: 'host://laptop', parameters: { command: 'rm -rf /' } },
    environment: 'staging',
  };
}

/**
 * Whether the proposal is there already, as an interrupted run left it.
 * @throws {BylawError} AG-CFG-008 if something else has its place
 */
export async function hasFirstProposal(folder: string): Promise<boolean> {
  const path = join(folder, INIT_FILES.proposal);
  if (!(await exists(path))) return false;
  const found = await readFile(path)
    .then(parseIJson)
    .catch(() => null);
  if (isJsonObject(found) && JSON.stringify({ ...found, id: '' }) === JSON.stringify(firstProposal(''))) return true;
  throw taken(INIT_FILES.proposal);
}

export async function writeFirstProposal(folder: string, id: string): Promise<void> {
  await writeWhole(join(folder, INIT_FILES.proposal), `${JSON.stringify(firstProposal(id), null, 2)}\n`, 0o644);
}

/** Writes a new file that has the whole content, or does not exist. A file that is there stays. */
export async function writeWhole(path: string, content: string, mode: number): Promise<void> {
  const place = await outputPlace(path);
  const draft = `${place}.${process.pid}.new`;
  await rm(draft, { force: true });
  try {
    await writeNew(draft, content, mode);
    // Unlike a rename, a link never takes the place of a file that is there.
    await link(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeNew(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : null));
  await file?.close();
  return file !== undefined;
}

/** @param name of the file or folder that stays as it is */
export function taken(name: string) {
  return gateError('AG-CFG-008', `${name} already exists.`, {
    hint: 'This command replaces nothing. Move it away, or choose a different folder with --dir.',
  });
}
