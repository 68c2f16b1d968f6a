/** What one entry of an archive is made of. */
export interface TarEntry {
  path: string;
  content?: string | Uint8Array;
  /** `0` is a file, `5` a folder, `2` a symbolic link. */
  type?: string;
  link?: string;
  /** Written instead of the right one. */
  size?: string;
  checksum?: string;
}

/** Writes a ustar archive, also ones that no sane program writes. */
export function tarOf(entries: readonly TarEntry[], end = true): Uint8Array {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [header(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, ...(end ? [Buffer.alloc(1024)] : [])]);
}

function header({ path, type = '0', link = '', size, checksum }: TarEntry, length: number): Buffer {
  const block = Buffer.alloc(512);
  const name = Buffer.from(path);
  const cut = name.length > 100 ? name.lastIndexOf('/', name.length - 100) : -1;
  block.write(cut < 0 ? path : name.toString('utf8', cut + 1), 0);
  block.write('0000644\0', 100);
  block.write(size ?? `${length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257, 'latin1');
  if (cut >= 0) block.write(name.toString('utf8', 0, cut), 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
