import { type DestinationStream, destination, pino } from 'pino';
import { type Clock, systemClock } from './clock.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log-levels.js';

/** Structured log lines. The first argument holds the fields, the second the message. Fields never hold a header, a body or a key. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel };

/** A log of lines on stderr, JSON unless said otherwise, written at once, so that no line is lost when the process ends. Standard output stays free for results. */
export function createLog(options: { level?: LogLevel; format?: LogFormat; clock?: Clock; to?: DestinationStream } = {}): Log {
  const clock = options.clock ?? systemClock;
  const to = options.to ?? destination({ fd: 2, sync: true });
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.format === 'text' ? { write: (line) => to.write(textLine(line)) } : to,
  );
}

/** What a log may say about an unexpected error: its name and its stack frames. The message is left out, for it may quote input. */
export function describeError(error: unknown): { error: string; frames: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, frames: frames.map((line) => line.trim()) };
}

/**
 * A JSON line of the log for a person: time, level, message, then the fields. Texts that are not plain words are quoted, so
 * that one line stays one line.
 */
function textLine(line: string): string {
  // Lines are made by our own logger.
  const { time, level, msg, ...fields } = JSON.parse(line) as { [field: string]: unknown };
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${plain(value)}`);
  return `${String(time)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${rest.join('')}\n`;
}

function plain(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@%+-]+$/.test(value) ? value : JSON.stringify(value);
}
