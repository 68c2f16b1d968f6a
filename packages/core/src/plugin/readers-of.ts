import { type GroupReader, loadReaders } from '../resource/index.js';
import type { InstalledPlugin } from './load-plugins.js';

/** The modules of the readers that plugins add, in a form that threads can be given. None of them is loaded. */
export function readerModulesOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[]): string[] {
  return plugins.flatMap(({ plugin }) => plugin.readers ?? []).map(({ href }) => href);
}

/** The readers that plugins add. */
export async function readersOf({ plugins }: { plugins: readonly Pick<InstalledPlugin, 'plugin'>[] }): Promise<GroupReader[]> {
  return loadReaders(readerModulesOf(plugins));
}
