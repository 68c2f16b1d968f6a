import { median } from '@bylaw/core/number';

/** What a factor must be before it may be used: in the right unit, near to its kind, never falling as the load rises, and with a source and a year. */
export interface Candidate {
  /** What it says something about: `aws/architecture/Skylake`. */
  subject: string;
  /** Name of the source in the imported file. */
  source: string;
  year: number | null;
  /** Unit of the source, and the one that is needed. */
  unit: string;
  wanted: string;
  /** In ascending order of load, where there are several. Null is a value that the source leaves out. */
  values: readonly (number | null)[];
  /** Candidates of one family have values of one order of magnitude, once divided by `scale`. Absent: not compared. */
  family?: string;
  scale?: number;
  /** Whether the median of the family is that of this and others like it, where it has any: what was looked at before measures what is new. */
  reviewed?: boolean;
  /** Whether equal values of another subject of the family would be a copy of it. */
  distinct?: boolean;
}

export const GATE_RULES = {
  'no-source': 'source or year is missing',
  'no-value': 'the source has no value',
  unit: 'the source uses a different unit from the required one',
  'not-a-number': 'a value is not a finite number above zero',
  'not-monotone': 'the power falls as the load rises',
  'out-of-family': 'a value is more than 2.5 times above or below the median of its family',
  copied: 'the values are copied from a different processor',
  'larger-than-host': 'the machine has more memory than its host',
} as const;
export type GateRule = keyof typeof GATE_RULES;

export interface Rejection {
  subject: string;
  source: string;
  rule: GateRule;
}

/** Rejections that a person has looked into and set aside, with the reason. A subject that ends with `*` means all that begin so. */
export interface ReviewedException extends Rejection {
  reason: string;
}

/** Units that are the same but for a factor: what one of the source is in the unit that is needed. */
const CONVERSIONS: { readonly [unit: string]: { readonly [wanted: string]: number } } = { t: { kg: 1000 }, Wh: { kWh: 0.001 } };

/** How far from the median of its family a value may be. */
const FAMILY_FACTOR = 2.5;

/**
 * Evaluates candidates. Those that pass keep their values; of the others each rule that they break is named once.
 * An exception lets its subject pass that rule, and no other.
 */
export function gate(
  candidates: readonly Candidate[],
  exceptions: readonly ReviewedException[],
): { passed: Candidate[]; rejected: Rejection[] } {
  const rejected: Rejection[] = [];
  const isExcepted = (rejection: Rejection) => exceptions.some((exception) => covers(exception, rejection));
  const medians = familyMedians(candidates);
  const firstWith = new Map<string, string>();
  const passed = candidates.filter((candidate) => {
    const rules = rulesBroken(candidate, medians, firstWith).map((rule) => ({
      subject: candidate.subject,
      source: candidate.source,
      rule,
    }));
    const open = rules.filter((rejection) => !isExcepted(rejection));
    rejected.push(...open);
    return open.length === 0;
  });
  return { passed, rejected };
}

/** The values in the unit that is needed. Undefined where the units have nothing to do with one another. */
export function converted({ unit, wanted, values }: Candidate): (number | null)[] | undefined {
  if (unit === wanted) return [...values];
  const factor = CONVERSIONS[unit]?.[wanted];
  return factor === undefined ? undefined : values.map((value) => (value === null ? null : value * factor));
}

function rulesBroken(candidate: Candidate, medians: ReadonlyMap<string, number[]>, firstWith: Map<string, string>): GateRule[] {
  const { source, year, values, unit, wanted, family, scale = 1, distinct } = candidate;
  if (source === '' || year === null) return ['no-source'];
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < values.length) return ['no-value'];
  if (numbers.some((value) => !Number.isFinite(value) || value <= 0)) return ['not-a-number'];
  const rules: GateRule[] = [];
  if (unit !== wanted) rules.push('unit');
  if (numbers.some((value, index) => value < (numbers[index - 1] ?? value))) rules.push('not-monotone');
  const middles = family === undefined ? [] : (medians.get(family) ?? []);
  if (numbers.some((value, index) => isFar(value / scale, middles[index] ?? value / scale))) rules.push('out-of-family');
  if (distinct && isCopy(candidate, numbers, firstWith)) rules.push('copied');
  return rules;
}

function isFar(value: number, middle: number): boolean {
  return value > middle * FAMILY_FACTOR || value < middle / FAMILY_FACTOR;
}

function isCopy({ family, subject }: Candidate, numbers: readonly number[], firstWith: Map<string, string>): boolean {
  const key = `${family} ${numbers.join(' ')}`;
  const first = firstWith.get(key);
  if (first === undefined) firstWith.set(key, subject);
  return first !== undefined && first !== subject;
}

function familyMedians(candidates: readonly Candidate[]): ReadonlyMap<string, number[]> {
  const families = Map.groupBy(candidates, ({ family }) => family ?? '');
  families.delete('');
  return new Map([...families].map(([family, all]) => [family, mediansOf(all.some(isReviewed) ? all.filter(isReviewed) : all)]));
}

function mediansOf(candidates: readonly Candidate[]): number[] {
  const width = Math.max(...candidates.map(({ values }) => values.length));
  return Array.from({ length: width }, (_, column) =>
    median(candidates.flatMap(({ values, scale = 1 }) => (typeof values[column] === 'number' ? [values[column] / scale] : []))),
  );
}

function isReviewed({ reviewed }: Candidate): boolean {
  return reviewed === true;
}

function covers(exception: ReviewedException, { subject, source, rule }: Rejection): boolean {
  const prefix = exception.subject.endsWith('*') ? exception.subject.slice(0, -1) : undefined;
  const same = prefix === undefined ? exception.subject === subject : subject.startsWith(prefix);
  return same && exception.source === source && exception.rule === rule;
}
