/** What a unit of a bill counts, and how much of it one unit is: hours, GB that are kept for hours, or GB that are moved. */
export interface UsageUnit {
  of: 'gb' | 'gb-hours' | 'hours';
  times: number;
}

/**
 * Reads the units that providers write: `Hrs`, `10 Hours`, `GB-Mo`, `1 GB/Month`, `gibibyte hour`, `byte-seconds`, `Lambda-GB-Second`. Undefined for
 * what is neither time nor size. GB are 2^30 bytes, as memory and disks are sold.
 */
export function usageUnitOf(text: string): UsageUnit | undefined {
  const [, count = '1', rest = ''] = LEADING_NUMBER.exec(text.slice(0, LONGEST).trim().toLowerCase()) ?? [];
  const times = Number(count.replaceAll(',', ''));
  const words = rest.split(/[\s/_-]+/).filter((word) => word !== '' && !PREFIXES.has(word));
  const [first = '', second] = words;
  if (words.length > 2 || !Number.isFinite(times)) return undefined;
  const [size, time] = [SIZES.get(first), HOURS.get(second ?? first)];
  if (second !== undefined) return size && time ? { of: 'gb-hours', times: times * size * time } : undefined;
  if (time !== undefined) return { of: 'hours', times: times * time };
  return size === undefined ? undefined : { of: 'gb', times: times * size };
}

const LONGEST = 60;
const LEADING_NUMBER = /^([\d,]+(?:\.\d+)?)?(.*)$/;

/** What stands before the unit and says what it is of. */
const PREFIXES = new Set(['acu', 'box', 'core', 'instance', 'lambda', 'node', 'vcpu', 'vm']);

const SIZES = namesOf([
  [['b', 'byte', 'bytes'], 1 / 1024 ** 3],
  [['kb', 'kib', 'kilobyte', 'kilobytes', 'kibibyte', 'kibibytes'], 1 / 1024 ** 2],
  [['mb', 'mib', 'megabyte', 'megabytes', 'mebibyte', 'mebibytes'], 1 / 1024],
  [['gb', 'gib', 'gigabyte', 'gigabytes', 'gibibyte', 'gibibytes'], 1],
  [['tb', 'tib', 'terabyte', 'terabytes', 'tebibyte', 'tebibytes'], 1024],
  [['pb', 'pib', 'petabyte', 'petabytes', 'pebibyte', 'pebibytes'], 1024 ** 2],
]);

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
