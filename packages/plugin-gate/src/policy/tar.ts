/** Bounds of a bundle, whatever its form. */
export const LIMITS = {
  files: 2_000,
  fileBytes: 1_048_576,
  totalBytes: 16_777_216,
  pathBytes: 255,
} as const;

/** The file is not an archive, or holds what a bundle must not hold. The message is for the person who made it. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

const BLOCK = 512;

/**
 * Reads a tar archive (POSIX ustar, with pax headers for long paths): regular files and folders only. Nothing is written
 * anywhere, so what a path may be is for the caller to say.
 * @returns the files in the order of the archive
 * @throws {TarError} on links, devices, sparse files, wrong checksums and a missing end
 */
export function readTar(archive: Uint8Array): { path: string; content: Uint8Array }[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw new TarError('The archive is compressed. Decompress it with gunzip first.');
  const files: { path: string; content: Uint8Array }[] = [];
  let longPath: string | undefined;
  for (let at = 0; ; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.length < BLOCK) throw new TarError('The archive is truncated.');
    if (header.every((byte) => byte === 0)) return files;
    checkHeader(header);
    const size = numberAt(header, 124, 12);
    if (Number.isNaN(size)) throw new TarError('The archive contains a file whose size cannot be read.');
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new TarError('The archive is truncated.');
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') longPath = paxPath(content);
    else {
      if (type === '0' || type === '\0') files.push({ path: longPath ?? pathOf(header), content });
      else if (type !== '5' && type !== 'g') throw new TarError(`The archive contains ${KINDS[type] ?? 'an entry of an unknown type'}.`);
      longPath = undefined;
    }
    if (files.length > LIMITS.files) throw new TarError(`The archive contains more than ${LIMITS.files} files.`);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

const KINDS: { readonly [type: string]: string | undefined } = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
  L: 'a long name in GNU tar format; create the archive with `tar --format=ustar`',
  S: 'a sparse file; create the archive with `tar --format=ustar`',
};

/** The checksum counts its own eight bytes as spaces. */
function checkHeader(header: Buffer): void {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  if (sum !== numberAt(header, 148, 8)) throw new TarError('The file is not a tar archive, or it is damaged.');
}

/** Octal digits, ended by a space or a zero byte. */
function numberAt(header: Buffer, start: number, length: number): number {
  const [digits = ''] = /^[0-7 ]*/.exec(header.toString('latin1', start, start + length)) ?? [];
  return digits.trim() === '' ? Number.NaN : Number.parseInt(digits, 8);
}

function pathOf(header: Buffer): string {
  const name = textAt(header, 0, 100);
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textAt(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** The records of a pax header are `<length> <name>=<value>\n`; of all of them only the path says something here. */
function paxPath(content: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at) throw new TarError('The archive has a damaged pax header.');
    const [, name, value] = /^([^=]*)=([\s\S]*)\n$/.exec(content.toString('utf8', space + 1, at + length)) ?? [];
    if (name === 'path') path = value;
    if (name === 'size' || name?.startsWith('GNU.sparse')) throw new TarError('The archive contains a file that is too large or sparse.');
    at += length;
  }
  return path;
}
