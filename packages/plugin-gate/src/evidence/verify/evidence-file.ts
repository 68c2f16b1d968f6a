import { createReadStream } from 'node:fs';
import type { EvidenceFile } from './sources.js';

/** A file on disk, read in pieces. */
export function evidenceFile(path: string): EvidenceFile {
  return { name: path, open: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
}
