/** Which exceptions count in a run: none; those of the configuration and of baselines; or also those in the manifests. */
export const EXCEPTIONS_FROM = ['none', 'config', 'all'] as const;
export type ExceptionsFrom = (typeof EXCEPTIONS_FROM)[number];

/** The stricter of two. Absent: `all`. */
export function stricter(a: ExceptionsFrom = 'all', b: ExceptionsFrom = 'all'): ExceptionsFrom {
  return EXCEPTIONS_FROM.indexOf(a) < EXCEPTIONS_FROM.indexOf(b) ? a : b;
}
