import { json } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { Args, Command } from '@oclif/core';

export default class RulesTest extends Command {
  static override summary = 'Test the rules in a folder: run their examples and fixes.';

  static override description =
    'Exits with 1 if a rule or its fix does not do what its examples state, and with 3 if a rule file is invalid.';

  static override examples = ['<%= config.bin %> rules test ./rules'];

  static override args = { dir: Args.string({ name: 'DIR', description: 'Folder of rule files.', required: true }) };

  static override flags = { json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RulesTest);
    const { loadCatalogue } = await import('@bylaw/core/rule');
    const { runExamples } = await import('@bylaw/core/evaluate');
    const catalogue = await loadCatalogue({ packs: [], ruleDirs: [args.dir] });
    const { runEdits } = await import('@bylaw/core/fix');
    const { rules } = catalogue;
    const results = { examples: runExamples(catalogue, rules), fixes: runEdits(catalogue, rules) };
    if (flags.json) await printJson({ rules: rules.length, ...results });
    else {
      const { exampleReport } = await import('../../output/example-report.js');
      await print(exampleReport(results, rules.length, terminal()));
    }
    if (Object.values(results).some((all) => all.some(({ problem }) => problem !== undefined))) process.exitCode = 1;
  }
}
