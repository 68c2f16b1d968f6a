import { json } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { Args, Command } from '@oclif/core';

export default class RulesTest extends Command {
  static override summary = 'Run the examples of a folder of rules.';

  static override description = 'Exits with 1 when a rule does not do what its examples say, and with 3 when a rule file is not valid.';

  static override examples = ['<%= config.bin %> rules test ./rules'];

  static override args = { dir: Args.string({ name: 'DIR', description: 'Folder of rule files.', required: true }) };

  static override flags = { json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RulesTest);
    const { loadCatalogue } = await import('@bylaw/core/rule');
    const { runExamples } = await import('@bylaw/core/evaluate');
    const catalogue = await loadCatalogue({ packs: [], ruleDirs: [args.dir] });
    const results = runExamples(catalogue, catalogue.rules);
    if (flags.json) await printJson({ rules: catalogue.rules.length, examples: results });
    else {
      const { exampleReport } = await import('../../output/example-report.js');
      await print(exampleReport(results, catalogue.rules.length, terminal()));
    }
    if (results.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
  }
}
