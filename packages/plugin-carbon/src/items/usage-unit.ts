/** What a unit of a bill counts, and how much of it one unit is: hours, bytes that are kept for hours, or bytes that are moved. */
export interface UsageUnit {
  of: 'byte-hours' | 'bytes' | 'hours';
  times: number;
}

/** Bytes in what a bill calls a kilobyte; its megabyte is the square of it, its gigabyte the cube. */
export type Kilo = 1000 | 1024;

/**
 * Reads the units that providers write: `Hrs`, `10 Hours`, `GB-Mo`, `1 GB/Month`, `gibibyte hour`, `byte-seconds`, `Lambda-GB-Second`. Undefined for
 * what is neither time nor size.
 */
export function usageUnitOf(text: string, kilo: Kilo): UsageUnit | undefined {
  const [, count = '1', rest = ''] = LEADING_NUMBER.exec(text.slice(0, LONGEST).trim().toLowerCase()) ?? [];
  const times = Number(count.replaceAll(',', ''));
  const words = rest.split(/[\s/_-]+/).filter((word) => word !== '' && !PREFIXES.has(word));
  const [first = '', second] = words;
  if (words.length > 2 || !Number.isFinite(times)) return undefined;
  const [size, time] = [sizeOf(first, kilo), HOURS.get(second ?? first)];
  if (second !== undefined) return size && time ? { of: 'byte-hours', times: times * size * time } : undefined;
  if (time !== undefined) return { of: 'hours', times: times * time };
  return size === undefined ? undefined : { of: 'bytes', times: times * size };
}

const LONGEST = 60;
const LEADING_NUMBER = /^([\d,]+(?:\.\d+)?)?(.*)$/;

/** What comes before the unit and says what it is of. */
const PREFIXES = new Set(['acu', 'box', 'core', 'instance', 'lambda', 'node', 'vcpu', 'vm']);

/** Powers of the kilobyte; those of the binary names are of 1,024 always. */
const SIZES = namesOf([
  [['b', 'byte', 'bytes'], 0],
  [['kb', 'kilobyte', 'kilobytes'], 1],
  [['mb', 'megabyte', 'megabytes'], 2],
  [['gb', 'gigabyte', 'gigabytes'], 3],
  [['tb', 'terabyte', 'terabytes'], 4],
  [['pb', 'petabyte', 'petabytes'], 5],
]);
const BINARY_SIZES = namesOf([
  [['kib', 'kibibyte', 'kibibytes'], 1],
  [['mib', 'mebibyte', 'mebibytes'], 2],
  [['gib', 'gibibyte', 'gibibytes'], 3],
  [['tib', 'tebibyte', 'tebibytes'], 4],
  [['pib', 'pebibyte', 'pebibytes'], 5],
]);

function sizeOf(word: string, kilo: Kilo): number | undefined {
  const [power, binary] = [SIZES.get(word), BINARY_SIZES.get(word)];
  return power === undefined ? binary && 1024 ** binary : kilo ** power;
}

/** A month is a twelfth of 8,760 hours. */
const HOURS = namesOf([
  [['s', 'sec', 'second', 'seconds'], 1 / 3600],
  [['min', 'minute', 'minutes'], 1 / 60],
  [['h', 'hr', 'hrs', 'hour', 'hours'], 1],
  [['day', 'days'], 24],
  [['mo', 'month', 'months'], 730],
]);

function namesOf(groups: readonly (readonly [readonly string[], number])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap(([names, value]) => names.map((name) => [name, value] as const)));
}
