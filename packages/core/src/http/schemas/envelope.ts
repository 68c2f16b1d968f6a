import { list, object, oneOfText, text } from './json-schema.js';

/** The members that answers about cost, carbon and scores open with; see `Envelope` of the answer floor. */
export const ENVELOPE = {
  schema: text('Name and version of the form of this answer.'),
  engine: object({ name: oneOfText('The engine.', ['bylaw']), version: text('Its version.') }),
  data: {
    description: 'Data sets that the answer rests on.',
    type: 'object',
    additionalProperties: object({
      version: text('Version or date.'),
      sha256: text('Digest of the file.'),
      licence: text('Licence (SPDX).'),
      attribution: text('Whose it is.'),
    }),
  },
  input_digest: text('SHA-256 of the canonical JSON of what was computed on.'),
  parameters: { description: 'All of them, defaults filled in.', type: 'object' },
  warnings: list(
    'What the reader should know about the input.',
    object({
      code: text('Stable code.'),
      message: text('What it is.'),
      path: text('JSON Pointer into the request; empty where no part is meant.'),
    }),
  ),
} as const;
