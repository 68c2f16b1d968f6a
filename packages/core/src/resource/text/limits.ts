/** The bounds that keep hostile input from exhausting memory, the stack or time. Stated in the error messages, so change them here only. */

/** Bytes of one YAML or JSON document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Bytes of standard input or a pipe that are kept to be read twice. */
export const MAX_KEPT_BYTES = 256 * 1024 * 1024;

/** Mappings and lists inside one another; the root is level 1. */
export const MAX_DEPTH = 100;

/** Values of one document after its aliases are expanded. */
export const MAX_NODES = 1_000_000;

/** `malformed` errors reported per object; the rest are counted in one more. */
export const MAX_MALFORMED = 100;
