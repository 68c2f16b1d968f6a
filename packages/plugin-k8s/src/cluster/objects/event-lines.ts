/**
 * The lines of a stream of JSON values, one on each line, as a watch sends them.
 * @throws {RangeError} where a line is longer than so many bytes
 */
export async function* eventLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string, void, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) throw new RangeError('a line of the watch is too long');
  }
}

const NEWLINE = 0x0a;
