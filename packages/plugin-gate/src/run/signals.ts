import { isatty } from 'node:tty';

/** Signals that ask a process to end. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
export type EndingSignal = (typeof ENDING)[number];

/** Catches the signals that would end this process while a command runs. */
export interface Signals {
  /** The first one that came. */
  readonly first: EndingSignal | undefined;
  /** Passes all further ones to this function. */
  pass(to: (signal: EndingSignal) => void): void;
  /** Gives them their usual effect again. */
  release(): void;
}

export function catchSignals(): Signals {
  let first: EndingSignal | undefined;
  let pass: (signal: EndingSignal) => void = () => undefined;
  const listeners = ENDING.map((signal) => {
    const listener = () => {
      first ??= signal;
      pass(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    get first() {
      return first;
    },
    pass: (to) => {
      pass = to;
    },
    release: () => {
      for (const { signal, listener } of listeners) process.removeListener(signal, listener);
    },
  };
}

/** A terminal sends these to every process in its foreground group: the command gets them from there, and must not get them twice. */
export function comesFromTerminal(signal: EndingSignal): boolean {
  // Asking `process.stdin` would open it, and its descriptor belongs to the command.
  return (signal === 'SIGINT' || signal === 'SIGQUIT') && [0, 1, 2].some((descriptor) => isatty(descriptor));
}
