import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Writes a chart as `helm package` would: a gzipped tar of a folder `web`. */
export function packedChart(path: string, files: { readonly [path: string]: string }): void {
  const parts = Object.entries(files).flatMap(([name, text]) => [header(`web/${name}`, Buffer.byteLength(text)), padded(text)]);
  writeFileSync(path, gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)])));
}

/** A header of the ustar format (POSIX.1-1988). */
function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write('0000000\0'.repeat(2), 108);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
