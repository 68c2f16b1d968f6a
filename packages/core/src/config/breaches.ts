import { BylawError } from '../errors.js';
import type { LoadedConfig } from './load-config.js';
import { throwFirst } from './read-config.js';

/** Something about a configuration that its schemas cannot say. */
export interface ConfigBreach {
  /** Names and positions from the top of the file. */
  path: readonly (string | number)[];
  /** One sentence. It never holds a secret. */
  message: string;
  hint?: string;
}

/** @throws {BylawError} `config-invalid` with the place of the first breach, and the others below it */
export function checkBreaches({ file }: Pick<LoadedConfig, 'file'>, breaches: readonly ConfigBreach[]): void {
  throwFirst(
    breaches.map(
      ({ path, message, hint }) =>
        new BylawError('config-invalid', message, {
          ...(file && { location: file.locate(path) }),
          ...(hint !== undefined && { hint }),
        }),
    ),
  );
}
