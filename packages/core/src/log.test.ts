import { describe, expect, it } from 'vitest';
import { fixedClock } from './clock.js';
import { createLog } from './log.js';

describe('a log of text', () => {
  it('writes one line per entry, with its fields after the message', () => {
    const lines: string[] = [];
    const log = createLog({ format: 'text', clock: fixedClock('2026-01-02T03:04:05Z'), to: { write: (line) => void lines.push(line) } });
    log.info({ url: 'http://127.0.0.1:8000', rules: 3, plugins: ['a'] }, 'listening');
    log.warn({ text: 'two\nlines "here"' }, 'careful');
    expect(lines).toEqual([
      '2026-01-02T03:04:05.000Z INFO  listening url=http://127.0.0.1:8000 rules=3 plugins=["a"]\n',
      '2026-01-02T03:04:05.000Z WARN  careful text="two\\nlines \\"here\\""\n',
    ]);
  });

  it('is of JSON lines unless said otherwise', () => {
    const lines: string[] = [];
    createLog({ clock: fixedClock('2026-01-02T03:04:05Z'), to: { write: (line) => void lines.push(line) } }).info({ a: 1 }, 'm');
    expect(JSON.parse(lines[0] ?? '')).toEqual({ level: 'info', time: '2026-01-02T03:04:05.000Z', a: 1, msg: 'm' });
  });
});
