import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';

/** A node of the tree as the framework computed it. */
export interface ComputedNode {
  id?: string;
  children?: { [name: string]: ComputedNode };
  outputs?: { [name: string]: number }[];
  /** With `aggregation`: sums of the metrics. */
  aggregated?: { [metric: string]: number };
}

export interface IfRun {
  status: string;
  tree: ComputedNode;
  /** Everything that it printed but the notice about the project. */
  printed: string;
}

const IF_RUN = join(createRequire(import.meta.url).resolve('@grnsft/if/package.json'), '..', 'build', 'if-run', 'index.js');

/** Runs the reference implementation of the Impact Framework on a manifest, in a process and a folder of its own. */
export async function ifRun(manifest: string): Promise<IfRun> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-if-run-'));
  try {
    await writeFile(join(folder, 'manifest.yaml'), manifest);
    const child = spawn(process.execPath, [IF_RUN, '--manifest', 'manifest.yaml', '--output', 'computed.yaml'], {
      cwd: folder,
      env: { ...process.env, ...(await environmentOf(folder)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const computed = parse(await readFile(join(folder, 'computed.yaml'), 'utf8'), { maxAliasCount: 0 });
    return { status: computed.execution.status, tree: computed.tree, printed: withoutNotice(out) + error };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** It asks the machine for its name and npm for the packages of the folder, neither of which is of interest here, or may reach a network. */
async function environmentOf(folder: string): Promise<NodeJS.ProcessEnv> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'lsb_release'), '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(programs, 'npm'), "#!/bin/sh\necho '{}'\n", { mode: 0o755 });
  return { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`, NODE_OPTIONS: '' };
}

function withoutNotice(out: string): string {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
  return out.replaceAll(escapes, '').replace(/^\[.*\] info: \s*\n?Graduated Project\s+This project is a Graduated Project[^\n]*\s*/, '');
}
