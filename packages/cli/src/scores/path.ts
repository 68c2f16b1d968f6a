import { join } from 'node:path';
import type { Config } from '@bylaw/core/config';

/** The file of the history: `scores.path` of the configuration, or one in the folder of the program's state. */
export function scoresPath(config: Config, dataDir: string): string {
  return config.scores.path ?? join(dataDir, 'scores.sqlite');
}
