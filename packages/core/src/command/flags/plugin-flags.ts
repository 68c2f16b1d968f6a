import { Flags } from '@oclif/core';
import { increaseFlag } from '../../plugin/comparison-member.js';
import { comparisonMembersOf } from '../../plugin/difference-views.js';
import type { InstalledPlugin } from '../../plugin/load-plugins.js';
import { FORMATS } from '../../report/format-names.js';

/** The flags of a command: as its class has them, or as oclif lists them for help. */
type FlagTable = { readonly [name: string]: object };

type Plugins = readonly Pick<InstalledPlugin, 'plugin'>[];

/**
 * The same flags, with the formats that plugins add among the options of `--format`. A `format` that does not offer the formats of core is another flag,
 * and stays as it is.
 */
export function withFormats<F extends FlagTable>(flags: F, plugins: Plugins): F {
  const { format } = flags;
  const reporters = plugins.flatMap(({ plugin }) => plugin.reporters ?? []);
  if (reporters.length === 0 || format === undefined || !('options' in format) || !offersFormats(format.options)) return flags;
  const options = [...format.options, ...reporters.map(({ name }) => name)];
  const words = reporters.map(({ name, description }) => `${name}: ${description}`).join('; ');
  const own = 'description' in format ? `${format.description} ` : '';
  return { ...flags, format: { ...format, options, description: `${own}Formats of plugins: ${words}.` } };
}

function offersFormats(options: unknown): options is readonly string[] {
  return Array.isArray(options) && FORMATS.every((format) => options.includes(format));
}

/** The same flags, with those that limit by how much the members that plugins add to comparisons may rise. */
export function withIncreases<F extends FlagTable>(flags: F, plugins: Plugins): F {
  const limits = comparisonMembersOf(plugins).flatMap(({ compare: { member, increase } }) =>
    increase === undefined ? [] : [[increaseFlag(member), Flags.string({ description: increase, helpValue: 'PERCENT' })] as const],
  );
  return { ...flags, ...Object.fromEntries(limits) };
}
