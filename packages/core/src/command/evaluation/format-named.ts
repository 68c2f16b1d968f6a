import { BylawError } from '../../errors.js';
import type { InstalledPlugin } from '../../plugin/index.js';
import { FORMATS, REPORTERS, type ReportFormat } from '../../report/index.js';

/** The plugins whose formats can be written: those in use. */
export type FormatPlugins = readonly Pick<InstalledPlugin, 'plugin'>[];

/**
 * The format of this name, of core or of a plugin in use.
 * @throws {BylawError} `usage`
 */
export function formatNamed(name: string, plugins: FormatPlugins): ReportFormat {
  const formats = [...FORMATS.map((format) => REPORTERS[format]), ...plugins.flatMap(({ plugin }) => plugin.reporters ?? [])];
  const found = formats.find((format) => format.name === name);
  if (found) return found;
  throw new BylawError('usage', `No plugin in use has the format \`${name}\`.`, {
    hint: `Known formats: ${formats.map((format) => format.name).join(', ')}. \`plugins\` in bylaw.yaml says which plugins are in use.`,
  });
}
