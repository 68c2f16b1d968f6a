import { list, object, oneOfText, text } from './json-schema.js';

/** The members that answers about cost, carbon and scores open with; see `Envelope` of the answer floor. */
export const ENVELOPE = {
  schema: text('Name and version of the format of this response.'),
  engine: object({ name: oneOfText('The engine.', ['bylaw']), version: text('Version of the engine.') }),
  data: {
    description: 'Data sets that the response is based on.',
    type: 'object',
    additionalProperties: object({
      version: text('Version or date.'),
      sha256: text('Digest of the file.'),
      licence: text('Licence (SPDX).'),
      attribution: text('Attribution of the data.'),
    }),
  },
  input_digest: text('SHA-256 of the canonical JSON of the input to the computation.'),
  parameters: { description: 'All parameters, including defaults.', type: 'object' },
  warnings: list(
    'Warnings about the input.',
    object({
      code: text('Stable code.'),
      message: text('Warning in words.'),
      path: text('JSON Pointer into the request; empty if the warning is not about a part of it.'),
    }),
  ),
} as const;
