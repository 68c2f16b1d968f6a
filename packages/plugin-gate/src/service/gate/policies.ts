import type { Log } from '@bylaw/core/log';
import { createMasker, type Masker } from '../../masking/index.js';
import type { Bundle, BundleError } from '../../policy/index.js';
import { unavailable } from '../http/unavailable.js';

/** The policies in force. A bundle that cannot be loaded never takes the place of one that could. */
export interface Policies {
  /** @throws {HttpProblem} AG-POL-001 or -002 when nothing can be decided */
  deciding(): Bundle;
  /** The bundle in force, if there is one. */
  readonly bundle: Bundle | undefined;
  /** What is wrong with the bundle that was loaded last. */
  readonly errors: readonly BundleError[];
  /** That of the bundle in force; without one, what is always masked. */
  masker(): Masker;
  /** Reads the bundle and puts it in force at once, between two decisions, if nothing is wrong with it. */
  load(): Promise<void>;
}

/** @param read gives what the configuration names */
export function createPolicies(read: () => Promise<{ bundle?: Bundle; errors: readonly BundleError[] }>, log: Log): Policies {
  const builtIn = createMasker();
  let bundle: Bundle | undefined;
  let errors: readonly BundleError[] = [];
  return {
    get bundle() {
      return bundle;
    },
    get errors() {
      return errors;
    },
    deciding: () => {
      if (bundle) return bundle;
      throw unavailable(errors[0]?.code ?? 'AG-POL-002');
    },
    masker: () => bundle?.masker ?? builtIn,
    load: async () => {
      const next = await read();
      errors = next.errors;
      for (const { code, message, location } of errors)
        log.error({ code, ...(location && { file: location.file, line: location.line }) }, `policy bundle: ${message}`);
      if (next.bundle && errors.length === 0) bundle = next.bundle;
    },
  };
}

/** For a configuration without a bundle. */
export const NO_BUNDLE: { errors: readonly BundleError[] } = {
  errors: [{ code: 'AG-POL-002', message: 'no policy bundle is configured' }],
};
