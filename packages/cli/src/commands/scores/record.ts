import { config, evaluation, json, policyFrom, remote, rendering, rules } from '@bylaw/core/command/flags';
import { print, printJson } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';

export default class ScoresRecord extends Command {
  static override summary = 'Evaluate manifests, and add the score to the history of a project.';

  static override description = `Recording the same result of the same commit again changes nothing, so you can repeat a job.

The exit code is 0 whatever the score is, 2 if a part of the input could not be read (the run is still recorded, with its coverage), and 4 if the history cannot be written.`;

  static override examples = [
    { description: 'In a pipeline', command: '<%= config.bin %> scores record deploy/ --project shop --ref main --commit $GIT_COMMIT' },
    {
      description: 'An older commit, with its own time',
      command: '<%= config.bin %> scores record deploy/ --project shop --commit 4f2a91c --at 2026-01-31T12:00:00Z',
    },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input. [default: .]' }),
  };

  static override flags = {
    project: Flags.string({ description: 'Name of the project.', helpValue: 'NAME', required: true }),
    ref: Flags.string({ description: 'Branch or environment.', helpValue: 'NAME' }),
    commit: Flags.string({ description: 'Commit.', helpValue: 'HASH' }),
    at: Flags.string({ description: 'Time of the run. [default: now]', helpValue: 'TIME' }),
    ...evaluation,
    ...rendering,
    rules,
    config,
    'policy-from': policyFrom,
    remote,
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
