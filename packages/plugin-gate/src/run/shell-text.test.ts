import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellText } from './shell-text.js';

/** What a real shell makes of a text. */
function wordsOf(text: string): string[] {
  const out = execFileSync('sh', ['-c', `printf '%s\\0' ${text}`]).toString('utf8');
  return out.split('\0').slice(0, -1);
}

const word = fc.string({
  unit: fc.oneof(fc.constantFrom(' ', "'", '"', '\\', '\n', '$', '`', '*', '-', '#', '~', 'é', '😀'), fc.string({ maxLength: 1 })),
});
const argument = word.filter((text) => !text.includes('\0') && text.isWellFormed());

describe('a command as one text', () => {
  it.each([
    [['ls', '-la', '/tmp'], 'ls -la /tmp'],
    [['echo', ''], "echo ''"],
    [['echo', 'a b', "it's"], "echo 'a b' 'it'\\''s'"],
    [['--', '--'], '-- --'],
    [['x', '~', '#', '*', '$HOME', 'a\nb'], "x '~' '#' '*' '$HOME' 'a\nb'"],
  ])('%j is %s', (argv, text) => {
    expect(shellText(argv)).toBe(text);
  });

  it('is read by a shell as exactly these words', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 6 }), (argv) => {
        expect(wordsOf(shellText(argv))).toEqual(argv);
      }),
      { numRuns: 200 },
    );
  });
});
