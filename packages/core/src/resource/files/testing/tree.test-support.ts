import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Discovery, discoverInputs } from '../discover.js';

/** A folder of its own, gone when the test is over. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-tree-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a tree. A text is a file; `-> target` is a link; `|` is a named pipe; the names of folders end with `/`. */
export function plant(folder: string, tree: { readonly [path: string]: string }): void {
  for (const [path, content] of Object.entries(tree)) {
    const at = join(folder, path);
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (path.endsWith('/')) continue;
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), at);
    else if (content === '|') execFileSync('mkfifo', [at]);
    else writeFileSync(at, content);
  }
}

export function discoverIn(cwd: string, ...paths: string[]): Promise<Discovery> {
  return discoverInputs(paths, { cwd });
}

/** The names of what is read. */
export function namesOf({ inputs }: Discovery): string[] {
  return inputs.map(({ file }) => file);
}

/** The errors as `code file`. */
export function errorsOf({ errors }: Discovery): string[] {
  return errors.map(({ code, location }) => `${code} ${location?.file}`);
}

/** The notes but the one that counts files. */
export function reasonsOf({ notes }: Discovery): Discovery['notes'] {
  return notes.filter(({ code }) => code !== 'files-skipped');
}
