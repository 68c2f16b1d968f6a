import { randomBytes } from 'node:crypto';
import { fstatSync, type Stats, writeSync } from 'node:fs';
import { gateError } from '../../error-table.js';
import { print } from './output.js';

/** A secret of 32 random bytes: 43 characters of base64url. */
export function newSecret(random: (size: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url');
}

/**
 * Where a secret may be shown. The command asks before it changes anything.
 * @param descriptor of an open file, which then gets the secret instead of standard output
 * @returns what writes a text there
 * @throws {BylawError} AG-CFG-005 when standard output is a file, or the descriptor is not open
 */
export function secretOutput(descriptor: number | undefined): (text: string) => Promise<void> {
  const target = kindOf(descriptor ?? 1);
  if (target === undefined) throw gateError('AG-CFG-005', 'The file descriptor in --secret-out is not open.');
  if (descriptor !== undefined) return async (text) => writeWhole(descriptor, text);
  if (target === 'file')
    throw gateError('AG-CFG-005', 'Standard output is a file, and the secret must not be stored in a file by accident.', {
      hint: 'Pipe the output to a program. If you do want a file, pass an open file descriptor with --secret-out.',
    });
  return print;
}

/** Undefined: not open, or one that this process has opened for itself, where a text would do harm. */
function kindOf(descriptor: number): 'file' | 'other' | undefined {
  const target = statOf(descriptor);
  if (!target) return undefined;
  if (target.isFile()) return 'file';
  if (target.isFIFO()) return descriptor > LAST_STANDARD && isOwnPipe(descriptor, target) ? undefined : 'other';
  return target.isCharacterDevice() || target.isSocket() ? 'other' : undefined;
}

const LAST_STANDARD = 2;

/** Descriptors beyond it that a shell hands over are few and low; those of the runtime follow them. */
const MAX_DESCRIPTOR = 64;

/** The runtime's pipes have both their ends here. */
function isOwnPipe(descriptor: number, { dev, ino }: Stats): boolean {
  for (let other = LAST_STANDARD + 1; other < MAX_DESCRIPTOR; other++) {
    const stats = other === descriptor ? undefined : statOf(other);
    if (stats?.dev === dev && stats.ino === ino) return true;
  }
  return false;
}

function statOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}
