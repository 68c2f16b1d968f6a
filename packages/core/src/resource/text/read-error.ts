import type { CoreErrorCode } from '../../errors.js';

/** Why a text cannot be read, before its place is known as a line: `offset` counts UTF-16 units from the start of the text. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly code: CoreErrorCode;
  readonly offset: number;

  constructor(code: CoreErrorCode, offset: number, message: string) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}
