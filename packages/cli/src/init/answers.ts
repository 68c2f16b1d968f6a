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

/** Short names of plugins: all that are installed, and those among them that add something. */
export interface PluginNames {
  installed: readonly string[];
  available: readonly string[];
}

export interface InitFlags {
  yes: boolean;
  plugins?: string[] | undefined;
  'fail-on'?: Threshold | undefined;
  ci?: string | undefined;
}

/**
 * Takes the answers from the flags, and the rest from the user, or from the defaults if there is no terminal.
 * @throws {BylawError} `usage` for a plugin that is not installed or adds nothing yet, or the threshold none
 */
export async function settle(flags: InitFlags, plugins: PluginNames): Promise<Answers> {
  const given = answersOf(flags, plugins);
  if (flags.yes || !process.stdin.isTTY) return { failOn: 'HIGH', ci: 'none', ...given };
  return ask(given, plugins.available);
}

/** Asks for what is not given yet. All plugins chosen means all, also those that are installed later. */
async function ask(given: Partial<Answers>, available: readonly string[]): Promise<Answers> {
  // Loaded late: most commands ask nothing.
  const { checkbox, select } = await import('@inquirer/prompts');
  const plugins =
    given.plugins ??
    (await checkbox({ message: 'Which plugins do you want to use?', choices: available.map((value) => ({ value, checked: true })) }));
  const failOn =
    given.failOn ??
    (await select({
      message: 'What is the lowest severity that fails the command?',
      choices: SEVERITIES.map((value) => ({ value })),
      default: 'HIGH' as const,
    }));
  const ci =
    given.ci ??
    (await select({
      message: 'Which CI system do you use?',
      choices: [
        { value: 'github' as const, name: 'GitHub Actions' },
        { value: 'gitlab' as const, name: 'GitLab CI' },
        { value: 'none' as const, name: 'none or other' },
      ],
    }));
  return { ...(plugins.length < available.length && { plugins }), failOn, ci };
}

function answersOf(flags: InitFlags, { installed, available }: PluginNames): Partial<Answers> {
  const unknown = flags.plugins?.find((name) => !installed.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, installed);
    throw new BylawError('usage', `No installed plugin is called \`${unknown}\`.`, {
      hint: near ? `Did you mean ${near}?` : `Installed: ${available.join(', ') || 'none'}.`,
    });
  }
  const empty = flags.plugins?.find((name) => !available.includes(name));
  if (empty !== undefined)
    throw new BylawError('usage', `The plugin \`${empty}\` has no rules and no commands yet.`, {
      hint: `Available: ${available.join(', ') || 'none'}.`,
    });
  if (flags['fail-on'] === 'NONE')
    throw new BylawError('usage', '--fail-on none is for single runs: the configuration needs a severity.', {
      hint: `Known: ${SEVERITIES.join(', ')}.`,
    });
  const ci = CI_SYSTEMS.find((system) => system === flags.ci);
  return {
    ...(flags.plugins && { plugins: flags.plugins }),
    ...(flags['fail-on'] && { failOn: flags['fail-on'] }),
    ...(ci && { ci }),
  };
}
