import type { NotKnown } from '../evaluate/index.js';
import type { AddedMember } from '../http/schemas/index.js';
import type { ChartSection } from '../report/chart-page.js';

/**
 * What a plugin adds to comparisons (`bylaw validate`): a member of the answer, and everything that outputs say of it. Every command loads this
 * object, so what is needed only to compute or to show the member is loaded when it is used.
 */
export interface ComparisonMember {
  /** Snake case, unique over all plugins and no member of core: `cost`. In sentences, underscores are spaces. */
  readonly member: string;
  /** A module (`file:` URL) whose default export makes the comparer from a `CompareContext`. It may be loaded on a thread. */
  readonly module: URL;
  /** Where it is among the members, in headings, tables, tiles and charts: the lowest first. Absent: 100. Equal ranks are in the order of their names. */
  readonly rank?: number;
  /** Present: `bylaw validate` has the flag that `increaseFlag` names, which limits by how many percent the member may rise. Its description. */
  readonly increase?: string;
  /** Command lines for the help of `bylaw validate`. */
  readonly examples?: readonly { readonly description: string; readonly command: string }[];
  /** Loads how the member is described and shown. */
  readonly view: () => Promise<DifferenceView>;
}

/** How the member of a comparison is described and shown. `Difference` is what the comparer answers; it may come from a server, as JSON. */
export interface DifferenceView<Difference = unknown> extends AddedMember {
  /** Heading of its column in tables of resources. */
  readonly column: string;
  /** What the column says of a resource that is not among the items. Absent: a dash. */
  readonly missing?: string;
  /** Its amounts are those of a month. */
  readonly monthly?: boolean;
  /** What terminals and pages say of it, as plain text: it is escaped where it is shown. */
  words(difference: Difference): DifferenceWords;
  /** Its sections of the HTML page, after the table that all members share. What draws them is worth loading late: a server needs the schema alone. */
  charts?(difference: Difference): readonly ChartSection[] | Promise<readonly ChartSection[]>;
}

export interface DifferenceWords {
  /** Sentences, usually one: `Cost: +12.40 USD per month.` None where there is nothing to say. */
  readonly summary: readonly string[];
  /** What differs, the largest first. */
  readonly items: readonly ItemWords[];
  /** What differs and is not known, with the reason; and how many there are in all, which may be more. */
  readonly unknown: readonly NotKnown[];
  readonly unknownTotal: number;
  /** What else to know about the figures. */
  readonly warnings: readonly string[];
  readonly sources: readonly string[];
  /** The figure at the top of the page. */
  readonly tile?: { readonly value: string; readonly name: string };
  /** By how many percent of the current side it rises; infinite if it rises from zero. Absent where nothing of what differs is known. */
  readonly increase?: number;
}

export interface ItemWords {
  /** Of the resource. Members that use the same identifier share a row. */
  readonly id: string;
  /** `+12.40 USD`. */
  readonly text: string;
  /** The same in a column whose heading has the unit. Absent: `text`. */
  readonly cell?: string;
}

/** Types a view by what its comparer answers. */
export function defineDifferenceView<Difference>(view: DifferenceView<Difference>): DifferenceView<Difference> {
  return view;
}

/**
 * The summary where no resource differs by a known amount: empty if nothing was there either.
 * @param name of the member, as a sentence begins with it
 * @param unknown how many resources differ by an unknown amount
 * @param current the amount of the current side
 */
export function withoutItems(name: string, unknown: number, current: number): string[] {
  if (unknown > 0) return [`${name}: unknown for the resources that differ.`];
  return current === 0 ? [] : [`${name}: no difference.`];
}

/** The name of the flag that limits a member, without its hyphens: `fail-on-cost-increase`. */
export function increaseFlag(member: string): string {
  return `fail-on-${member.replaceAll('_', '-')}-increase`;
}
