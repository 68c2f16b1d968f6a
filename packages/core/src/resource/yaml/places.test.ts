import { expect, it } from 'vitest';
import { textInput } from '../input/input.js';
import { splitDocuments } from '../input/split.js';
import { readDocument } from '../read-document.js';
import { isInputError } from './source-document.js';

const PLACE = { file: 'chart/templates/web.yaml', line: 1, column: 1 };

async function read(text: string | Uint8Array) {
  const input = textInput(PLACE.file, text, { rendered: 'chart' });
  const parts = [];
  for await (const part of splitDocuments(input)) parts.push(part);
  const documents = parts.flatMap((part) => (isInputError(part) ? [] : [part])).map((document) => readDocument(document));
  return {
    resources: documents.flatMap(({ resources }) => resources),
    errors: [...parts.filter(isInputError), ...documents.flatMap(({ errors }) => errors)],
  };
}

it('places all of a rendered text at the start of the file that it was made from', async () => {
  const { resources } = await read('---\n# a comment\napiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: b\n');
  expect(resources.map(({ source }) => source)).toEqual([
    { ...PLACE, document: 0, rendered: 'chart' },
    { ...PLACE, document: 1, rendered: 'chart' },
  ]);
  expect(resources[1]?.position('/metadata/name')).toEqual({ line: 1, column: 1 });
});

it('keeps the comments that survive rendering, at the same place', async () => {
  const { resources } = await read('\napiVersion: v1\nkind: Pod\nspec:\n  # bylaw:ignore CS-001 it is known\n  containers: []\n');
  expect(resources[0]?.ignoreComments).toEqual([
    { ruleId: 'CS-001', reason: 'it is known', pointer: '/spec/containers', position: { line: 1, column: 1 } },
  ]);
});

it.each([
  ['a syntax error', 'a: 1\nb: [\n', 'yaml-syntax'],
  ['a document that is no object', '\n\nb: 1\n', 'not-a-resource'],
  ['a field of the wrong type', 'apiVersion: v1\nkind: Pod\nspec:\n  containers: text\n', 'malformed'],
  ['bytes that are no text', Buffer.from('a: 1\nb: \0\n'), 'binary-content'],
])('places %s there, and names what was rendered', async (_what, text, code) => {
  const { errors } = await read(text);
  expect(errors).toMatchObject([{ code, location: { ...PLACE, rendered_from: 'chart' } }]);
});
