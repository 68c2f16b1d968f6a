import { BylawError } from '../errors.js';
import type { CompareContext, Comparing } from '../service/index.js';
import type { InstalledPlugin } from './load-plugins.js';

/**
 * What the plugins add to comparisons. None of their modules is loaded.
 * @throws {BylawError} `plugin-invalid` when two add the same member
 */
export function comparingOf(
  plugins: readonly Pick<InstalledPlugin, 'plugin' | 'packageName'>[],
  { config, base }: CompareContext,
): Comparing {
  const found = plugins.flatMap(({ plugin: { compare }, packageName }) => (compare ? [{ ...compare, packageName }] : []));
  for (const [index, { member, packageName }] of found.entries()) {
    const other = found.slice(0, index).find((one) => one.member === member);
    if (other !== undefined)
      throw new BylawError('plugin-invalid', `The plugins ${other.packageName} and ${packageName} both add \`${member}\` to comparisons.`, {
        hint: 'Remove one of them.',
      });
  }
  return { modules: found.map(({ member, module }) => ({ member, module: module.href })), config, base };
}
