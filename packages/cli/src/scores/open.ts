import { readScoreStore, type ScoreStore } from '@bylaw/core/store';

/**
 * Asks the history, and closes it again.
 * @param ask is given no store where nothing was recorded yet
 * @throws {BylawError} `scores-unusable`
 */
export function withScores<T>(path: string, ask: (store: ScoreStore | undefined) => T): T {
  const store = readScoreStore(path);
  try {
    return ask(store);
  } finally {
    store?.close();
  }
}
