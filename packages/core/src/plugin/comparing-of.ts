import type { CompareContext, Comparing } from '../service/index.js';
import type { InstalledPlugin } from './load-plugins.js';

/** What the plugins add to comparisons. None of their modules is loaded. */
export function comparingOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[], { config, base }: CompareContext): Comparing {
  const modules = plugins.flatMap(({ plugin: { compare } }) => (compare ? [{ member: compare.member, module: compare.module.href }] : []));
  return { modules, config, base };
}
