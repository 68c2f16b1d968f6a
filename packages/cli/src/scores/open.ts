import { openScoreStore, type ScoreStore } from '@bylaw/core/store';

/** Asks the history, and closes it again. @throws {BylawError} `scores-missing`, `scores-unusable` */
export function withScores<T>(path: string, ask: (store: ScoreStore) => T): T {
  const store = openScoreStore(path, 'read');
  try {
    return ask(store);
  } finally {
    store.close();
  }
}
