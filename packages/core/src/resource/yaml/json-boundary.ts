/**
 * Finds where the JSON values of a stream end: `kubectl get -o json` and its like write one after the other without a separator.
 * Looks at bytes only, in pieces of any size, and at nothing but quotes and brackets.
 */
export interface JsonBoundary {
  /**
   * Looks at the next bytes of a document. Returns the index in `bytes` at which the next top-level value, and so the next document,
   * starts; -1 when all of them belong to the current one.
   */
  next(bytes: Uint8Array): number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAPPING = 0x7b;
const CLOSE_MAPPING = 0x7d;

/** For a document of which nothing was seen yet. One that does not start as a JSON object or array is never cut. */
export function jsonBoundary(): JsonBoundary {
  let mode: 'start' | 'opened' | 'inside' | 'after' | 'off' = 'start';
  let opener = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;

  function see(byte: number): void {
    if (byte === QUOTE) inString = true;
    else if (isOpening(byte)) depth++;
    else if ((byte === CLOSE_LIST || byte === CLOSE_MAPPING) && --depth === 0) mode = 'after';
  }

  function next(bytes: Uint8Array): number {
    for (let i = 0; i < bytes.length && mode !== 'off'; i++) {
      const byte = bytes[i] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (mode === 'inside') {
        see(byte);
      } else if (!isSpace(byte)) {
        if (mode === 'after') {
          if (isOpening(byte)) return i;
          mode = 'off';
        } else if (mode === 'start') {
          mode = isOpening(byte) ? 'opened' : 'off';
          opener = byte;
          depth = 1;
        } else {
          mode = opensJson(opener, byte) ? 'inside' : 'off';
          see(byte);
        }
      }
    }
    return -1;
  }

  return { next };
}

/** `{{` opens a template and `{a:` a mapping of YAML, whose quotes mean something else. */
function opensJson(opener: number, byte: number): boolean {
  if (opener === OPEN_MAPPING) return byte === QUOTE || byte === CLOSE_MAPPING;
  return byte === QUOTE || byte === CLOSE_LIST || isOpening(byte);
}

function isOpening(byte: number): boolean {
  return byte === OPEN_MAPPING || byte === OPEN_LIST;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
