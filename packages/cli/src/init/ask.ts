import { SEVERITIES } from '@bylaw/core/rule';
import { checkbox, select } from '@inquirer/prompts';
import type { Answers } from './answers.js';

/** Asks for what is not given yet. All plugins chosen means all, also those that are installed later. */
export async function ask(given: Partial<Answers>, available: readonly string[]): Promise<Answers> {
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
