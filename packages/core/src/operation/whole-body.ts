/**
 * An answer as one block of bytes.
 * @param maxBytes of an answer in chunks
 * @returns undefined for one that is longer; the rest of it is not made then
 */
export async function wholeBody(body: Uint8Array | AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
