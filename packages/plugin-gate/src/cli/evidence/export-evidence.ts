import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { outputPlace } from '@bylaw/core/command/output';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { GateConfig } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { exportCsv, exportJsonl, exportOscal, oscalSettings, type RecordType } from '../../evidence/index.js';
import type { EvidenceStore } from '../../store/index.js';
import { loadBundle } from '../../verdict/index.js';
import { withStoreToRead } from '../open/read-store.js';
import { print, tell } from '../terminal/output.js';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'oscal'] as const;

export interface ExportFlags {
  from: number;
  /** Absent: the last record. */
  to?: number | undefined;
  types?: readonly RecordType[] | undefined;
  format: (typeof EXPORT_FORMATS)[number];
  /** File; absent: standard output. */
  output?: string | undefined;
}

/**
 * Exports a range of the chain, of any length, in flat memory.
 * @throws {BylawError} AG-EVD-002, -004, -005; `output-unwritable`
 */
export async function exportConfigured(installation: Installation, flags: ExportFlags): Promise<void> {
  if (flags.format === 'oscal' && flags.types !== undefined)
    throw gateError('AG-EVD-005', 'An OSCAL export cannot be filtered by type, because it would omit observations.', {
      hint: 'Omit --type, or choose a different format.',
    });
  await withStoreToRead(installation, async (store, config) => {
    const head = await store.head();
    const to = Math.min(flags.to ?? Number.MAX_SAFE_INTEGER, head?.seq ?? -1);
    if (flags.from > to) tell('The range contains no records.');
    if (flags.types !== undefined) tell('An export filtered by type cannot be verified, because each record links to the one before it.');
    await write(await textsOf(store, config, installation.loaded.base, { ...flags, to, head: head?.seq }), flags.output);
  });
}

async function textsOf(
  store: EvidenceStore,
  config: GateConfig,
  base: string,
  { from, to, types, format, head }: ExportFlags & { to: number; head: number | undefined },
): Promise<AsyncIterable<string>> {
  const records = () => (from > to ? nothing() : store.records({ from, to, ...(types && { types }) }));
  if (format === 'jsonl') return exportJsonl(records());
  if (format === 'csv') return exportCsv(records());
  return exportOscal(records, oscalSettings(config.oscal, store.chainId, await policiesOf(config, base), { head }));
}

async function* nothing(): AsyncGenerator<never> {}

/** Findings need to know which controls the policies name. Without a bundle there are none, and all else is exported. */
async function policiesOf({ policy }: GateConfig, base: string) {
  const { bundle } = policy.bundle === undefined ? {} : await loadBundle(resolve(base, policy.bundle));
  if (bundle === undefined) tell('There is no valid policy bundle, so the document contains no findings.');
  return bundle?.policies ?? [];
}

async function write(texts: AsyncIterable<string>, output: string | undefined): Promise<void> {
  if (output === undefined) {
    for await (const text of texts) {
      // Whoever read the beginning only has gone.
      if (process.stdout.destroyed || process.stdout.errored) return;
      await print(text);
    }
    return;
  }
  try {
    await pipeline(Readable.from(texts), createWriteStream(await outputPlace(output)));
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause && 'code' in cause)
      throw new BylawError('output-unwritable', `Cannot write ${output} (${cause.code}).`, { cause });
    throw cause;
  }
}
