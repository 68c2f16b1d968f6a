const DURATION = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

const NANOSECONDS: { readonly [unit: string]: number } = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** As Go's time.ParseDuration reads it; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  if (text.length > 100) return undefined;
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  let nanoseconds = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(PART)) nanoseconds += Number(amount) * (NANOSECONDS[unit ?? ''] ?? 0);
  return (match[1] === '-' ? -1 : 1) * (nanoseconds / 1e9);
}
