import { additionOf, CORE_MEMBERS, type Comparison, type NotKnown } from '@bylaw/core/evaluate';
import type { DifferenceWords, ItemWords, NamedView } from '@bylaw/core/plugin';
import { plural } from '@bylaw/core/plural';

/** What a member of a comparison that a plugin adds says, or why it says nothing. */
export interface Difference extends Pick<NamedView, 'member' | 'noun' | 'plugin' | 'view'> {
  /** As the answer has it; absent where the comparison ran without the plugin. */
  value?: object;
  /** Present where it was computed. */
  words?: DifferenceWords;
  /** Why it was not. */
  unavailable?: string;
}

/** What plugins add to a comparison, in the order of the views. */
export function differencesOf(comparison: Comparison, views: readonly NamedView[]): Difference[] {
  return views.map((named) => {
    const value = additionOf(comparison, named.member);
    if (value === undefined) return named;
    if ('unavailable' in value) return { ...named, value, unavailable: String(value.unavailable) };
    return { ...named, value, ...shownBy(named, value) };
  });
}

/** A plugin that cannot show its member, such as one of another version than the server's, does not hide the rest of the comparison. */
function shownBy({ plugin, view }: NamedView, value: object): Pick<Difference, 'words' | 'unavailable'> {
  try {
    return { words: view.words(value) };
  } catch (error) {
    return { unavailable: `The plugin ${plugin} cannot show it${error instanceof Error ? ` (${error.name})` : ''}.` };
  }
}

/** `Cost and carbon`: the heading over what plugins add. */
export function differenceTitle(differences: readonly Difference[]): string {
  const nouns = differences.map(({ noun }) => noun);
  const last = nouns.pop() ?? 'other differences';
  return capital(nouns.length === 0 ? last : `${nouns.join(', ')} and ${last}`);
}

/** What the members say, in the order of the answer: terminals and pages show the same. */
export function summaryWords(comparison: Comparison, differences: readonly Difference[]): string[] {
  const hidden = Object.keys(comparison).filter(
    (name) => !CORE_MEMBERS.includes(name) && !differences.some(({ member }) => member === name),
  );
  return [
    ...byName(differences).flatMap(({ noun, words, unavailable }) =>
      unavailable === undefined ? (words?.summary ?? []) : [`${capital(noun)}: unknown. ${unavailable}`],
    ),
    ...hidden.map((member) => `The server also compares \`${member}\`. No plugin that is installed here can show it; --json prints it.`),
  ];
}

/** What differs and is not known, one sentence for each reason. */
export function unknownWords(differences: readonly Difference[]): string[] {
  const found = new Map<string, NotKnown & { nouns: string[] }>();
  for (const { noun, words } of differences)
    for (const { id, reason } of words?.unknown ?? []) {
      const key = JSON.stringify([id, reason]);
      found.set(key, { id, reason, nouns: [...(found.get(key)?.nouns ?? []), noun] });
    }
  const groups = Map.groupBy(found.values(), ({ reason, nouns }) => JSON.stringify([nouns, reason]));
  return [
    ...[...groups.values()].map(([first, ...others]) => {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      return `The ${first?.nouns.join(' and ')} of ${first?.id}${more} is unknown: ${first?.reason}`;
    }),
    ...differences.flatMap(({ noun, words }) => (words ? restWords(noun, words) : [])),
  ];
}

function restWords(noun: string, { unknown, unknownTotal }: DifferenceWords): string[] {
  const rest = unknownTotal - unknown.length;
  return rest > 0 ? [`The ${noun} of ${plural(rest, 'more resource')} is unknown.`] : [];
}

/** What else to know about the figures. */
export function warningWords(differences: readonly Difference[]): string[] {
  return [...new Set(byName(differences).flatMap(({ words }) => words?.warnings ?? []))];
}

/** A resource that differs, with what each of the differences says of it. */
export interface DifferentItem {
  id: string;
  words: readonly (ItemWords | undefined)[];
}

/** What differs, the largest of the first member first, then those that only the others know. */
export function differentItems(differences: readonly Difference[]): DifferentItem[] {
  const tables = differences.map(({ words }) => new Map(words?.items.map((item) => [item.id, item])));
  const ids = new Set(tables.flatMap((table) => [...table.keys()]));
  return [...ids].map((id) => ({ id, words: tables.map((table) => table.get(id)) }));
}

function byName(differences: readonly Difference[]): Difference[] {
  return differences.toSorted((a, b) => (a.member < b.member ? -1 : 1));
}

function capital(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}
