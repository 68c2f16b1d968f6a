import type { InputError } from '../errors.js';
import type { Input } from './input.js';
import type { SourceDocument } from './resource.js';

export function isInputError(item: SourceDocument | InputError): item is InputError {
  return 'code' in item;
}

export async function* splitDocuments(input: Input): AsyncGenerator<SourceDocument | InputError> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  let line = 1;
  for (const [index, part] of text.split(/^(?=---(?:\s|$))/m).entries()) {
    yield { file: input.file, index, text: part, line };
    line += part.split('\n').length - 1;
  }
}
