import { describe, expect, it } from 'vitest';
import { BylawError } from '../../errors.js';
import { fileInput, type Input, textInput } from '../../resource/index.js';
import { filtersBody, inputBody } from './bodies.js';

describe('the input of a request to a server', () => {
  it('holds an error for a file that cannot be read, after those that are known already, and all other files', async () => {
    const known = { code: 'path-not-found', message: 'no', location: null } as const;
    const inputs = [textInput('a.yaml', 'a: 1\n'), fileInput('/nonexistent/b.yaml', 'b.yaml', { explicit: false })];
    expect(await inputBody({ inputs, inputErrors: [known] })).toEqual({
      files: [{ path: 'a.yaml', content: 'a: 1\n' }],
      input_errors: [
        known,
        { code: 'path-unreadable', message: expect.stringContaining('disappeared'), location: { file: 'b.yaml', line: 1, column: 1 } },
      ],
    });
  });

  it('is refused if it is larger than what can be held, and then no longer read', async () => {
    let taken = 0;
    const endless: Input = {
      file: '<stdin>',
      explicit: true,
      async *open() {
        for (const piece = Buffer.alloc(8 * 1024 * 1024); ; taken += 1) yield piece;
      },
    };
    const refused = await inputBody({ inputs: [endless] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BylawError);
    expect(refused).toMatchObject({
      code: 'input-too-large',
      message: '<stdin> is larger than 256 MiB, the most that can be sent to a server.',
    });
    expect(taken).toBe(32);
  });
});

describe('the filters of a request to a server', () => {
  it('say which exceptions count, unless all of them do', () => {
    expect(filtersBody({ exceptionsFrom: 'none' })).toEqual({ exceptions_from: 'none' });
    expect(filtersBody({ exceptionsFrom: 'all' })).toEqual({});
  });
});
