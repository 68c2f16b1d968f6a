import { BylawError } from '../errors.js';
import type { JsonSchema } from '../http/index.js';
import type { ComparisonMember, DifferenceView } from './comparison-member.js';
import type { InstalledPlugin } from './load-plugins.js';

/** A member of comparisons, ready to be shown. */
export interface NamedView {
  member: string;
  /** What it is called in sentences: `cost`. */
  noun: string;
  /** Short name of its plugin. */
  plugin: string;
  view: DifferenceView;
}

const DEFAULT_RANK = 100;

/** What the plugins add to comparisons, by rank and then by name: the order in which outputs show it. */
export function comparisonMembersOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[]): { plugin: string; compare: ComparisonMember }[] {
  const found = plugins.flatMap(({ plugin: { name, compare } }) => (compare ? [{ plugin: name, compare }] : []));
  const rank = ({ compare: { rank: own = DEFAULT_RANK } }: (typeof found)[number]) => own;
  return found.sort((a, b) => rank(a) - rank(b) || (a.compare.member < b.compare.member ? -1 : 1));
}

/**
 * Loads how the members that plugins add to comparisons are shown, in the same order.
 * @throws {BylawError} `plugin-invalid`
 */
export async function differenceViewsOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[]): Promise<NamedView[]> {
  return Promise.all(
    comparisonMembersOf(plugins).map(async ({ plugin, compare: { member, view } }) => ({
      member,
      noun: member.replaceAll('_', ' '),
      plugin,
      view: await view().catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new BylawError('plugin-invalid', `The plugin ${plugin} cannot show what it adds to comparisons: ${why}.`, { cause });
      }),
    })),
  );
}

/** The schema of a comparison with the members of these plugins, which are in the order of their names. */
export async function comparisonSchemaOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[]): Promise<JsonSchema> {
  const { comparisonSchema } = await import('../http/schemas/index.js'); // only a server describes its answers
  const views = await differenceViewsOf(plugins);
  const members = views.map(({ member, view }) => [member, view] as const);
  return comparisonSchema(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))));
}
