/** What a log may be set to, from all lines to none. On its own, so that the configuration can name it without loading a logger. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
