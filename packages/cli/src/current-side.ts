import { realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { findConfig, type LoadedConfig } from '@bylaw/core/config';

/**
 * The folder from which the configuration of a comparison is searched: that of the current side. The proposed side may be the work of strangers, who
 * must not decide how it is evaluated.
 * @param current file, folder or pattern of the current side, or `-`
 * @returns absolute, links resolved
 */
export async function folderOfCurrent(current: string): Promise<string> {
  if (current === '-') return process.cwd();
  const parts = current.split('/');
  const pattern = parts.findIndex((part) => /[*?[{]/.test(part));
  const path = resolve(pattern < 0 ? current : `${parts.slice(0, pattern).join('/') || (pattern > 0 ? '/' : '.')}`);
  const real = await realpath(path).catch(() => path);
  const status = await stat(real).catch(() => undefined);
  return status?.isDirectory() ? real : dirname(real);
}

/** Says which configuration is used, if it is not the one that other commands would use in this folder; empty if it is. */
export async function whichConfiguration({ file, policy }: LoadedConfig, named: string | undefined): Promise<string> {
  if (named !== undefined || process.env['SVC_CONFIG'] || policy || file?.path === (await findConfig(process.cwd()))) return '';
  return file
    ? `note: the configuration is that of the current side: ${relative(process.cwd(), file.path)}`
    : 'note: the current side has no bylaw.yaml, so the defaults apply';
}
