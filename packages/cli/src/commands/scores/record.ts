import { config, json, judging, policyFrom, rendering, rules } from '@bylaw/core/command/flags';
import { print, printJson } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';

export default class ScoresRecord extends Command {
  static override summary = 'Evaluate, and add the score to the history of a project.';

  static override description = `Recording the same result of the same commit again changes nothing, so a job may be repeated.

Exits with 0 whatever the score is, with 2 when something could not be read (the run is recorded with its coverage), and with 4 when the history cannot be written.`;

  static override examples = [
    { description: 'In a pipeline', command: '<%= config.bin %> scores record deploy/ --project shop --ref main --commit $GIT_COMMIT' },
    {
      description: 'An older state, at the time of its commit',
      command: '<%= config.bin %> scores record deploy/ --project shop --commit 4f2a91c --at 2026-01-31T12:00:00Z',
    },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input. [default: .]' }),
  };

  static override flags = {
    project: Flags.string({ description: 'The project.', helpValue: 'NAME', required: true }),
    ref: Flags.string({ description: 'Branch or environment.', helpValue: 'NAME' }),
    commit: Flags.string({ description: 'Commit.', helpValue: 'HASH' }),
    at: Flags.string({ description: 'Instant of the run. [default: now]', helpValue: 'TIME' }),
    ...judging,
    ...rendering,
    rules,
    config,
    'policy-from': policyFrom,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ScoresRecord);
    const { recordScore } = await import('../../scores/record.js');
    const recorded = await recordScore(argv.length > 0 ? argv.map(String) : ['.'], flags, await openInstallation(this.config, flags));
    if (flags.json) await printJson(recorded);
    else {
      const { recordedText } = await import('../../output/score-text.js');
      await print(recordedText(recorded));
    }
    process.exitCode = recorded.errors > 0 ? 2 : 0;
  }
}
