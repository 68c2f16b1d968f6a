import type { Threshold } from '@bylaw/core/command/flags';
import { BylawError } from '@bylaw/core/errors';
import { nearest } from '@bylaw/core/nearest';
import { SEVERITIES, type Severity } from '@bylaw/core/rule';

export const CI_SYSTEMS = ['github', 'gitlab', 'none'] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** What `bylaw init` must know. */
export interface Answers {
  /** Short names of the plugins to use; absent: all that are installed, also later ones. */
  plugins?: string[];
  failOn: Severity;
  ci: CiSystem;
}

export interface InitFlags {
  yes: boolean;
  plugins?: string[] | undefined;
  'fail-on'?: Threshold | undefined;
  ci?: string | undefined;
}

/**
 * Takes the answers from the flags, and the rest from the user, or where nobody can be asked from the defaults.
 * @param installed short names of the plugins
 * @throws {BylawError} `usage` for a plugin that is not installed, or the threshold none
 */
export async function settle(flags: InitFlags, installed: readonly string[]): Promise<Answers> {
  const given = answersOf(flags, installed);
  if (flags.yes || !process.stdin.isTTY) return { failOn: 'HIGH', ci: 'none', ...given };
  const { ask } = await import('./ask.js');
  return ask(given, installed);
}

function answersOf(flags: InitFlags, installed: readonly string[]): Partial<Answers> {
  const unknown = flags.plugins?.find((name) => !installed.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, installed);
    throw new BylawError('usage', `No installed plugin is called \`${unknown}\`.`, {
      hint: near ? `Did you mean ${near}?` : `Installed: ${installed.join(', ') || 'none'}.`,
    });
  }
  if (flags['fail-on'] === 'NONE')
    throw new BylawError('usage', 'A configuration names the severity that fails; none is for single runs.', {
      hint: `Known: ${SEVERITIES.join(', ')}.`,
    });
  const ci = CI_SYSTEMS.find((system) => system === flags.ci);
  return {
    ...(flags.plugins && { plugins: flags.plugins }),
    ...(flags['fail-on'] && { failOn: flags['fail-on'] }),
    ...(ci && { ci }),
  };
}
