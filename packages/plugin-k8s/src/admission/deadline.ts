/**
 * Milliseconds that an answer may take: the configured ones, or less where the API server waits less. It names its patience in the query,
 * rounded up to whole seconds, so up to one of them may be gone already.
 * @param timeout a duration of Go, such as `10s` or `1m0s`; any other text is passed over
 */
export function deadlineOf(configuredMs: number, timeout: string | undefined): number {
  const [, minutes = '0', seconds] = /^(?:([0-9]{1,3})m)?([0-9]{1,4})s$/.exec(timeout ?? '') ?? [];
  const patienceMs = (Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
  if (patienceMs === 0) return configuredMs;
  return Math.min(configuredMs, Math.max(patienceMs - 1000, patienceMs / 2));
}
