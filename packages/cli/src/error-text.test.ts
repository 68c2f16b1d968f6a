import { BylawError } from '@bylaw/core/errors';
import { describe, expect, it } from 'vitest';
import { reportError } from './error-text.js';

/** What is written about an error, and the exit code. */
function reported(error: unknown, options = { json: false, debug: false }): { code: number; text: string } {
  let text = '';
  const code = reportError(error, options, { write: (chunk) => (text += chunk) });
  return { code, text };
}

describe('an error that ends a command', () => {
  it('is told with its place and how to mend it', () => {
    const error = new BylawError('config-invalid', 'It is wrong.', {
      location: { file: 'bylaw.yaml', line: 3, column: 5 },
      hint: 'Mend it.',
    });
    expect(reported(error)).toEqual({ code: 3, text: 'error: bylaw.yaml:3:5: It is wrong.\nhint: Mend it.\n' });
  });

  it('is told as one line of JSON where JSON was asked for', () => {
    expect(reported(new BylawError('usage', 'Wrong.'), { json: true, debug: false })).toEqual({
      code: 2,
      text: '{"error":{"code":"usage","message":"Wrong."}}\n',
    });
  });

  it('and is a defect is told without its stack trace, and exits with 70', () => {
    const { code, text } = reported(new TypeError('x is not a function'));
    expect(text).toContain('error: Internal error: x is not a function\nhint: This is a bug in bylaw.');
    expect(text).not.toContain('    at ');
    expect(code).toBe(70);
  });

  it('takes the exit code of oclif where it only ends the command', () => {
    expect(reported(Object.assign(new Error('EEXIT: 0'), { code: 'EEXIT', oclif: { exit: 0 } }))).toEqual({ code: 0, text: '' });
  });
});
