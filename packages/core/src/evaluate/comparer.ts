import { BylawError } from '../errors.js';
import type { Resource } from '../resource/index.js';
import type { Place } from '../workload/index.js';

/** What plugins add to a comparison: objects of plain data by the names of their members, which are in the order of the alphabet. */
export type ComparisonAdditions = { readonly [member: string]: object };

/** The members of core: a plugin cannot add one of these names. A test compares them with the schema. */
export const CORE_MEMBERS: readonly string[] = [
  'verdict',
  'score',
  'introduced',
  'resolved',
  'unchanged',
  'not_comparable',
  'changes',
  'errors',
  'notes',
  'unchecked',
  'undecided',
  'undecided_counts',
  'exceptions',
  'truncated',
];

/** Why a member that a plugin adds could not be made. */
export interface Unavailable {
  unavailable: string;
}

/** A resource that differs, and why a plugin cannot say by how much. */
export interface NotKnown {
  id: string;
  reason: string;
}

/** Both sides as they were read, and where they run. */
export interface ComparedSides {
  current: readonly Resource[];
  proposed: readonly Resource[];
  place: Place;
}

/** Makes one member of a comparison: an object of plain data. Pure. @throws {BylawError} whose message may be shown, when it cannot */
export type Comparer<Difference extends object = object> = (sides: ComparedSides) => Promise<Difference>;

/** A comparer with the name of its member. */
export interface NamedComparer {
  member: string;
  compare: Comparer;
}

/** All of them, by name. One that fails says so in its member, and takes nothing else with it. */
export async function additionsOf(comparers: readonly NamedComparer[], sides: ComparedSides): Promise<ComparisonAdditions> {
  const additions: { [member: string]: object } = {};
  for (const { member, compare } of comparers) additions[member] = await madeBy(compare, sides);
  return additions;
}

async function madeBy(compare: Comparer, sides: ComparedSides): Promise<object | Unavailable> {
  try {
    const made: unknown = await compare(sides);
    if (typeof made === 'object' && made !== null && !Array.isArray(made)) return made;
    throw new TypeError('a comparer must answer an object');
  } catch (error) {
    return { unavailable: reasonOf(error) };
  }
}

/** The message of an error that nobody foresaw may hold the input; its name does not. */
function reasonOf(error: unknown): string {
  if (!(error instanceof BylawError)) return `The plugin could not compute it${error instanceof Error ? ` (${error.name})` : ''}.`;
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
