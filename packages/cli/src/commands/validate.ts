import { config, html, json, judging, place, policyFrom, remote, rendering, rules } from '@bylaw/core/command/flags';
import { print, printJson, refuseManifest, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import { Args, Command, Flags } from '@oclif/core';
import { openDoors } from '../doors/open.js';

export default class Validate extends Command {
  static override summary = 'Compare a proposed configuration with the current one.';

  static override description =
    `Reports which findings the change introduces and which it resolves, wherever they are in the files, and how the score changes. With the carbon and finops plugins, also reports how emissions and cost change. Manifests do not state where they run, so pass --provider and --region for this.

The exit code is 0 on success, 1 if the verdict is regressed or if cost or carbon rises by more than --fail-on-cost-increase or --fail-on-carbon-increase allows, and 2 if a part of the input could not be read or if such an increase cannot be determined.`;

  static override examples = [
    { description: 'Before a merge', command: '<%= config.bin %> validate main/deploy branch/deploy' },
    {
      description: 'Include the change in cost and carbon',
      command: '<%= config.bin %> validate main/deploy branch/deploy --provider aws --region us-east-1',
    },
    {
      description: 'Fail if the monthly cost rises by more than 10 %',
      command: '<%= config.bin %> validate main/deploy branch/deploy --provider aws --region us-east-1 --fail-on-cost-increase 10%',
    },
    { description: 'Only severe findings', command: '<%= config.bin %> validate old.yaml new.yaml --severity CRITICAL,HIGH' },
  ];

  static override args = {
    current: Args.string({ name: 'CURRENT', description: 'File, folder or pattern of the current configuration.', required: true }),
    proposed: Args.string({ name: 'PROPOSED', description: 'File, folder or pattern of the proposed configuration.', required: true }),
  };

  static override flags = {
    ...place,
    'fail-on-cost-increase': Flags.string({
      description: 'Exit with 1 if the monthly cost rises by more than this percentage.',
      helpValue: 'PERCENT',
    }),
    'fail-on-carbon-increase': Flags.string({
      description: 'Exit with 1 if the monthly emissions rise by more than this percentage.',
      helpValue: 'PERCENT',
    }),
    html,
    ...judging,
    ...rendering,
    rules,
    config,
    'policy-from': policyFrom,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Validate);
    const { increaseLimits, judgeIncreases } = await import('../increase.js');
    const limits = increaseLimits(flags);
    const { folderOfCurrent, whichConfiguration } = await import('../current-side.js');
    const installation = await openInstallation(this.config, flags, await folderOfCurrent(args.current));
    const which = await whichConfiguration(installation.loaded, flags.config);
    if (which !== '') process.stderr.write(`${which}\n`);
    const doors = await openDoors(installation, flags);
    const { inputsAt, judgingOf, placeFromFlags, renderingOf } = await import('@bylaw/core/command/judging');
    const readers = await readersOf(installation);
    const how = await renderingOf(flags, installation);
    const [current, proposed] = [await inputsAt([args.current], how, readers), await inputsAt([args.proposed], how, readers)];
    await refuseManifest(flags.html, [...current.inputs, ...proposed.inputs]);
    const comparison = await doors.validate({
      ...(await judgingOf(flags, installation.loaded)),
      ...(flags['policy-from'] !== undefined && { exceptionsOfCurrent: true }),
      current,
      proposed,
      place: placeFromFlags(flags, installation.loaded.config.workloads),
    });
    if (flags.html !== undefined) {
      const { comparisonPage } = await import('../output/comparison-page.js');
      await writeFileWhole(flags.html, async (out) => out.write(comparisonPage(comparison, args)));
    }
    if (flags.json) await printJson(comparison);
    else {
      const { comparisonText } = await import('../output/comparison-text.js');
      await print(comparisonText(comparison, terminal()));
    }
    const { exceeded, unknown, notices } = judgeIncreases(comparison, limits);
    for (const notice of notices) process.stderr.write(`${notice}\n`);
    process.exitCode = comparison.verdict === 'incomplete' || unknown ? 2 : comparison.verdict === 'regressed' || exceeded ? 1 : 0;
  }
}
