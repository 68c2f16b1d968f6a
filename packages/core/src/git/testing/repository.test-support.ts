import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, which is removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bylaw-git-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs Git, whatever the configuration of the machine says about identities and branches. */
export function git(folder: string, ...args: string[]): string {
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return execFileSync('git', ['-C', folder, ...options, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Writes files, with the folders that they need. */
export async function write(folder: string, files: { [path: string]: string | Uint8Array }): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
