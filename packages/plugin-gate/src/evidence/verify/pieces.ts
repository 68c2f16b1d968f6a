/** A file cannot be read as evidence at all; the message says why and quotes nothing of it. */
export class UnusableEvidence extends Error {
  override readonly name = 'UnusableEvidence';
}

/** Bytes of a line or row at most. Records are far smaller: a request body has 64 KiB. */
export const MAX_LINE = 4 * 1024 * 1024;

/**
 * Cuts bytes into lines. Only the last one may lack its line feed.
 * @returns each line with its line feed; those that end in the same chunk together
 * @throws {UnusableEvidence} when a line is longer than `MAX_LINE`
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const line = chunk.subarray(start, end + 1);
      if (length + line.length > MAX_LINE) {
        // What comes before it is read first.
        yield lines;
        throw tooLong();
      }
      lines.push(rest.length === 0 ? line : Buffer.concat([...rest, line]));
      rest = [];
      length = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
      length += chunk.length - start;
    }
    yield lines;
    if (length > MAX_LINE) throw tooLong();
  }
  if (rest.length > 0) yield [Buffer.concat(rest)];
}

/**
 * Cuts a csv file of ours into rows. Cells may hold line breaks, and quotes within cells are doubled, so only the end of the
 * last cell, which is a record, is a brace, one quote and a line break.
 * @returns each row with its line break, those that end in the same chunk together; the first is the row of names
 */
export async function* rowsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let row: Buffer[] = [];
  let length = 0;
  let names = true;
  for await (const lines of linesOf(chunks)) {
    const rows: Buffer[] = [];
    for (const line of lines) {
      row.push(line);
      length += line.length;
      if (length > MAX_LINE) {
        yield rows;
        throw tooLong();
      }
      if (!names && line.indexOf(ROW_END, line.length - ROW_END.length) < 0) continue;
      names = false;
      rows.push(row.length === 1 ? line : Buffer.concat(row));
      row = [];
      length = 0;
    }
    yield rows;
  }
  if (row.length > 0) yield [Buffer.concat(row)];
}

const LF = 0x0a;
const ROW_END = Buffer.from('}"\r\n');

function tooLong(): UnusableEvidence {
  return new UnusableEvidence(`A line is longer than ${MAX_LINE} bytes, so this is not an evidence export.`);
}
