import { readFile, stat } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import type { ConfigFileSource } from '@bylaw/core/plugin';
import { type GateConfig, gateConfigOf, isConfigured } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { sha256Hex } from '../../json/index.js';

/** Far above any real file. */
const MAX_BYTES = 1024 * 1024;

/** Whether a file may be half-written, as far as its bytes tell. */
export interface FileEnd {
  digest: string;
  endsWithLineFeed: boolean;
}

/**
 * @param before how the file ended when it was whole: one that no longer ends with a line feed is probably cut off in a line
 * @throws {BylawError} AG-CFG-007 when the file cannot be read, or is half-written
 */
export async function readFileEnd(path: string, before: FileEnd | undefined): Promise<FileEnd> {
  const bytes = await contentOf(path).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw gateError('AG-CFG-007', `The configuration file cannot be read${code}.`, { cause });
  });
  if (bytes === undefined) throw gateError('AG-CFG-007', 'The configuration file is too large.');
  const endsWithLineFeed = bytes.at(-1) === 0x0a;
  if (before?.endsWithLineFeed && !endsWithLineFeed)
    throw gateError('AG-CFG-007', 'The configuration file no longer ends with a line feed, so it may be half-written.');
  return { digest: `sha256:${sha256Hex(bytes)}`, endsWithLineFeed };
}

async function contentOf(path: string): Promise<Uint8Array | undefined> {
  return (await stat(path)).size > MAX_BYTES ? undefined : await readFile(path);
}

/**
 * Loads the gate's part of the file again.
 * @throws {BylawError} AG-CFG-007 when it is wrong, or configures no gate: an empty file is one that is about to be written
 */
export async function reloadConfigFile(source: ConfigFileSource): Promise<{ config: GateConfig; digest: string }> {
  const { config, digest } = await source.reload().catch((cause: unknown) => {
    if (!(cause instanceof BylawError)) throw cause;
    const { location } = cause;
    throw gateError('AG-CFG-007', cause.message, { ...(location && { location }), cause });
  });
  const gate = gateConfigOf(config);
  if (isConfigured(gate)) return { config: gate, digest };
  throw gateError('AG-CFG-007', 'The configuration file has neither `adapters` nor `policy.bundle`.');
}
