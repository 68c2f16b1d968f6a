import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, until the test ends. */
export function folderWith(files: { readonly [path: string]: string } = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-render-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A program that Node runs, for the faults that real ones do not have on demand. */
export function nodeProgram(folder: string, name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${script}\n`, { mode: 0o755 });
  return path;
}
