/** Series that look like costs and meters of many kinds, always the same for a seed. They are made by processes that none of the forecaster's models is. */

export interface GeneratedSeries {
  kind: string;
  train: number[];
  test: number[];
}

export type Cycle = 'hour' | 'day' | 'week';

/** @param count series; kinds and lengths by turns */
export function generatedSeries(granularity: Cycle, count: number, seed: number): GeneratedSeries[] {
  const { kinds, lengths, horizon } = SETS[granularity];
  return Array.from({ length: count }, (_, at) => {
    const random = randomFrom(seed * 7919 + at);
    const [kind, make] = kinds[at % kinds.length] ?? ['none', () => () => 0];
    const n = lengths[Math.floor(at / kinds.length) % lengths.length] ?? 100;
    const valueAt = make(random);
    const values = Array.from({ length: n + horizon }, (__, t) => Math.max(0, valueAt(t)));
    return { kind, train: values.slice(0, n), test: values.slice(n) };
  });
}

/** Uniform, normal, and heavy-tailed (Student, 4 degrees of freedom, variance 1) numbers. */
export interface Random {
  uniform(): number;
  normal(): number;
  heavy(): number;
}

/** Source of the generator: mulberry32, T. Ettinger (public domain). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const heavy = () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2 + normal() ** 2) / 2);
  return { uniform, normal, heavy };
}

type Process = (random: Random) => (t: number) => number;

/** A level that wanders by `step` a bucket, relative, with a drift and now and then a jump. */
function wandering({ heavy, uniform, normal }: Random, step: number, drift = 0, jumps = 0): () => number {
  let level = Math.log(100 * 10 ** (3 * uniform()));
  const own = drift * normal();
  return () => {
    level += own + step * heavy() + (uniform() < jumps ? 0.5 * normal() : 0);
    return Math.exp(level);
  };
}

/** Noise that remembers: AR(1). */
function remembering({ normal }: Random, memory: number, sd: number): () => number {
  let value = 0;
  return () => {
    value = memory * value + sd * normal() * Math.sqrt(1 - memory * memory);
    return value;
  };
}

/** A smooth cycle of any shape: four waves of falling size. */
function cycleOf({ normal }: Random, period: number, size: number): (t: number) => number {
  const waves = [1, 2, 3, 4].map((k) => ({ k, a: normal() / k, b: normal() / k }));
  const scale = size / Math.sqrt(waves.reduce((sum, { a, b }) => sum + (a * a + b * b) / 2, 0));
  return (t) =>
    scale *
    waves.reduce(
      (sum, { k, a, b }) => sum + a * Math.sin((2 * Math.PI * k * t) / period) + b * Math.cos((2 * Math.PI * k * t) / period),
      0,
    );
}

/** A day of its own for weekdays and another for weekends. */
function hours(random: Random, size: number): (t: number) => number {
  const [weekday, weekend] = [cycleOf(random, 24, size), cycleOf(random, 24, size * 0.6)];
  const less = 0.4 * random.uniform();
  return (t) => (Math.floor(t / 24) % 7 < 5 ? weekday(t) : weekend(t) - less);
}

function poisson({ uniform }: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let [count, product] = [0, uniform()];
  while (product > limit) {
    count += 1;
    product *= uniform();
  }
  return count;
}

const HOURLY: readonly (readonly [string, Process])[] = [
  [
    'day and week',
    (random) => {
      const [level, cycle, noise] = [wandering(random, 0.002), hours(random, 0.35), remembering(random, 0.7, 0.05)];
      return (t) => level() * Math.exp(cycle(t) + noise());
    },
  ],
  [
    'day only, much noise',
    (random) => {
      const [level, cycle, noise] = [wandering(random, 0.001), cycleOf(random, 24, 0.25), remembering(random, 0.5, 0.2)];
      return (t) => level() * Math.exp(cycle(t) + noise());
    },
  ],
  [
    'weather',
    (random) => {
      const [level, cycle, slow, noise] = [
        100 + 900 * random.uniform(),
        hours(random, 0.2),
        remembering(random, 0.99, 0.15),
        remembering(random, 0.8, 0.03),
      ];
      return (t) => level * (1 + cycle(t) + slow() + noise());
    },
  ],
  [
    'counts',
    (random) => {
      const [mean, cycle] = [5 + 40 * random.uniform(), hours(random, 0.6)];
      return (t) => poisson(random, mean * Math.exp(cycle(t)));
    },
  ],
  [
    'nights of zero',
    (random) => {
      const [level, noise] = [wandering(random, 0.001), remembering(random, 0.5, 0.1)];
      return (t) => {
        const value = level() * Math.exp(noise());
        return t % 24 >= 7 && t % 24 < 19 ? value * Math.sin((Math.PI * ((t % 24) - 6)) / 13) : 0;
      };
    },
  ],
  [
    'level shifts',
    (random) => {
      const [level, cycle, noise] = [wandering(random, 0.001, 0, 0.004), hours(random, 0.2), remembering(random, 0.6, 0.05)];
      return (t) => level() * Math.exp(cycle(t) + noise());
    },
  ],
  [
    'wandering only',
    (random) => {
      const level = wandering(random, 0.02);
      return () => level();
    },
  ],
];

const WEEKLY: readonly (readonly [string, Process])[] = [
  ['wandering', (random) => wandering(random, 0.03, 0.001)],
  [
    'year',
    (random) => {
      const [level, cycle, noise] = [wandering(random, 0.004, 0.001), cycleOf(random, 52.18, 0.25), remembering(random, 0.5, 0.08)];
      return (t) => level() * Math.exp(cycle(t) + noise());
    },
  ],
  [
    'year, additive',
    (random) => {
      const [level, cycle, noise, slope] = [
        500 + 500 * random.uniform(),
        cycleOf(random, 52.18, 80),
        remembering(random, 0.6, 40),
        random.normal() * 0.3,
      ];
      return (t) => level + slope * t + cycle(t) + noise();
    },
  ],
  [
    'reverting',
    (random) => {
      const [level, noise] = [100 + 900 * random.uniform(), remembering(random, 0.9, 0.2)];
      return () => level * Math.exp(noise());
    },
  ],
  ['level shifts', (random) => wandering(random, 0.015, 0, 0.01)],
  [
    'wandering, with noise',
    (random) => {
      const level = wandering(random, 0.01, 0.002);
      return () => level() * Math.exp(0.05 * random.normal());
    },
  ],
  [
    'intermittent',
    (random) => {
      const [share, level] = [0.3 + 0.2 * random.uniform(), 50 + 100 * random.uniform()];
      return () => (random.uniform() < share ? level * Math.exp(0.4 * random.normal()) : 0);
    },
  ],
];

const DAILY: readonly (readonly [string, Process])[] = [
  ['wandering', (random) => wandering(random, 0.01, 0.0003)],
  [
    'week',
    (random) => {
      const [level, cycle, noise] = [wandering(random, 0.01, 0.0005), cycleOf(random, 7, 0.2), remembering(random, 0.4, 0.06)];
      return (t) => level() * Math.exp(cycle(t) + noise());
    },
  ],
  [
    'week and year',
    (random) => {
      const [level, cycle, year] = [wandering(random, 0.002), cycleOf(random, 7, 0.15), cycleOf(random, 365.25, 0.2)];
      return (t) => level() * Math.exp(cycle(t) + year(t) + 0.05 * random.heavy());
    },
  ],
  ['level shifts', (random) => wandering(random, 0.006, 0, 0.01)],
  [
    'reverting',
    (random) => {
      const [level, noise] = [100 + 900 * random.uniform(), remembering(random, 0.95, 0.2)];
      return () => level * Math.exp(noise());
    },
  ],
];

/** Lengths as in collections of such series; horizons as those of the M4 competition. */
const SETS = {
  hour: { kinds: HOURLY, lengths: [700, 960, 748], horizon: 48 },
  week: { kinds: WEEKLY, lengths: [80, 359, 934, 2597, 200], horizon: 13 },
  day: { kinds: DAILY, lengths: [93, 365, 1000, 4197], horizon: 14 },
} as const;
