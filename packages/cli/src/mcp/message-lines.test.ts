import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessageLine, MessageLines } from './message-lines.js';

/** The lines of a text that comes in pieces of so many bytes. */
function linesOf(text: string, pieces: number, maxBytes = 100): MessageLine[] {
  const lines = new MessageLines(maxBytes);
  const bytes = Buffer.from(text);
  const found: MessageLine[] = [];
  for (let start = 0; start < bytes.length; start += pieces) found.push(...lines.push(bytes.subarray(start, start + pieces)));
  return found;
}

describe('the lines of messages', () => {
  it('are the same in whatever pieces they come', () => {
    const text = 'a\n\nüber\n{"id":1}\nnot the end';
    for (const pieces of [1, 2, 3, 7, 1000])
      expect(linesOf(text, pieces)).toEqual([{ text: 'a' }, { text: '' }, { text: 'über' }, { text: '{"id":1}' }]);
  });

  it('have a bound, and what follows a longer one is read as ever', () => {
    const [longest, longer] = ['a'.repeat(100), 'a'.repeat(101)];
    for (const pieces of [1, 64, 1000])
      expect(linesOf(`${longest}\n${longer}\nnext\n`, pieces)).toEqual([
        { text: longest },
        { tooLarge: true, id: undefined },
        { text: 'next' },
      ]);
  });

  it('tell the id of a message that is too large, wherever it has it', () => {
    const member = fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.constant({ id: 'inner' }),
      fc.constant('"id":5,{'),
      fc.constant(['\\', '"', '}', ',', ':']),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 20 }), fc.integer()),
        fc.dictionary(fc.string({ maxLength: 5 }), member, { maxKeys: 4 }),
        fc.dictionary(fc.string({ maxLength: 5 }), member, { maxKeys: 4 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(undefined, 1),
        (id, before, after, pieces, indent) => {
          const message = { ...without(before), id, ...without(after), params: 'x'.repeat(200) };
          const text = JSON.stringify(message, undefined, indent).replaceAll('\n', ' ');
          expect(linesOf(`${text}\n`, pieces)).toEqual([{ tooLarge: true, id }]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([['[1,2]'], ['"id"'], ['{"id":null}'], ['{"id":{"id":1}}'], ['{"params":{"id":1}}'], ['{"id":'], ['}}}{']])(
    'tell no id of %s',
    (start) => {
      expect(linesOf(`${start}${' '.repeat(200)}\n`, 50)).toEqual([{ tooLarge: true, id: undefined }]);
    },
  );
});

function without({ id: _id, ...members }: { [name: string]: unknown }): object {
  return members;
}
