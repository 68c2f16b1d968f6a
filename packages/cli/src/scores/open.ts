import { join } from 'node:path';
import type { Config } from '@bylaw/core/config';
import { readScoreStore, type ScoreStore } from '@bylaw/core/store';

/** The file of the history: `scores.path` of the configuration, or one in the folder of the program's state. */
export function scoresPath(config: Config, dataDir: string): string {
  return config.scores.path ?? join(dataDir, 'scores.sqlite');
}

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
