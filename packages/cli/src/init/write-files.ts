import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outputPlace, writeFileWhole } from '@bylaw/core/command/output';
import { BylawError } from '@bylaw/core/errors';

/**
 * Writes the files below a folder. Nothing is written where one that exists may not be replaced.
 * @param options.mayAsk whether somebody can be asked; else only `force` replaces a file
 * @returns the paths written, as given
 * @throws {BylawError} `usage` naming the file that stays; `output-unwritable`
 */
export async function writeFiles(
  folder: string,
  files: readonly (readonly [path: string, content: string])[],
  options: { mayAsk: boolean; force: boolean },
): Promise<string[]> {
  for (const [path] of files) if (!options.force && existsSync(join(folder, path))) await confirmReplacing(path, options.mayAsk);
  for (const [path] of files) await outputPlace(join(folder, path));
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFileWhole(join(folder, path), async (out) => out.write(content));
  }
  return files.map(([path]) => path);
}

async function confirmReplacing(path: string, mayAsk: boolean): Promise<void> {
  const kept = new BylawError('usage', `${path} already exists. Nothing was written.`, { hint: 'Use --force to replace it.' });
  if (!mayAsk) throw kept;
  const { confirm } = await import('@inquirer/prompts');
  if (!(await confirm({ message: `${path} already exists. Replace it?`, default: false }))) throw kept;
}
