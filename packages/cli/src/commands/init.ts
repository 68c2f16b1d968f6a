import { failOn, json } from '@bylaw/core/command/flags';
import { print, printJson } from '@bylaw/core/command/output';
import { publicationNote } from '@bylaw/core/publication';
import { Command, Flags } from '@oclif/core';

export default class Init extends Command {
  static override summary = 'Write bylaw.yaml and the file of a CI job.';

  static override description =
    'Asks for everything that no flag sets; --yes uses the defaults instead. Replaces an existing file only if you confirm it, or with --force.';

  static override examples = [
    { description: 'Answer the questions', command: '<%= config.bin %> init' },
    { description: 'Without questions', command: '<%= config.bin %> init --yes --fail-on critical --ci github' },
  ];

  static override flags = {
    yes: Flags.boolean({ char: 'y', description: 'Do not ask: use the defaults for everything that no flag sets.' }),
    force: Flags.boolean({ description: 'Replace existing files.' }),
    plugins: Flags.string({
      description: 'Short names of the installed plugins to use. [default: all]',
      helpValue: 'NAME',
      delimiter: ',',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'fail-on': failOn({
      description: 'Findings of this severity or higher fail the command: critical, high, medium, low or info. [default: HIGH]',
    }),
    ci: Flags.string({ description: 'CI system to write a job for. [default: none]', options: ['github', 'gitlab', 'none'] }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Init);
    const { filesOf, settle, writeFiles } = await import('../init/index.js');
    const { pluginNames } = await import('../plugins/list-plugins.js');
    const answers = await settle(flags, await pluginNames(this.config));
    const mayAsk = !flags.yes && process.stdin.isTTY;
    const written = await writeFiles(process.cwd(), filesOf(answers, this.config.version), { mayAsk, force: flags.force });
    warnOfPublication(written.slice(1));
    if (flags.json) return printJson({ written });
    await print(`${written.map((file) => `wrote ${file}\n`).join('')}Next: bylaw evaluate .\n`);
  }
}

/** @param jobs paths of the written files that install bylaw from npm */
function warnOfPublication(jobs: readonly string[]): void {
  const note = publicationNote();
  if (note === '') return;
  const failing = jobs.map((job) => ` The job in ${job} fails until they are on npm.`);
  process.stderr.write(`warning: ${note}${failing.join('')}\n`);
}
