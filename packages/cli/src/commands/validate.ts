import { config, evaluation, html, json, place, policyFrom, remote, rendering, rules, withIncreases } from '@bylaw/core/command/flags';
import { print, printJson, refuseManifest, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { installedPlugins, openInstallation } from '@bylaw/core/installation';
import { comparisonMembersOf, differenceViewsOf, readersOf } from '@bylaw/core/plugin';
import { Args, Command } from '@oclif/core';

export default class Validate extends Command {
  static override summary = 'Compare a proposed configuration with the current one.';

  static override description =
    `Reports which findings the change introduces and which it resolves, wherever they are in the files, and how the score changes. Plugins report further differences, such as those in cost and emissions. Manifests do not state where they run, so pass --provider and --region for this.

The exit code is 0 on success, 1 if the verdict is regressed or if something rises by more than a --fail-on-…-increase flag allows, and 2 if a part of the input could not be read or if such an increase cannot be determined.`;

  static override examples = [
    { description: 'Before a merge', command: '<%= config.bin %> validate main/deploy branch/deploy' },
    {
      description: 'Include what depends on where the workloads run',
      command: '<%= config.bin %> validate main/deploy branch/deploy --provider aws --region us-east-1',
    },
    { description: 'Only severe findings', command: '<%= config.bin %> validate old.yaml new.yaml --severity CRITICAL,HIGH' },
  ];

  static override args = {
    current: Args.string({ name: 'CURRENT', description: 'File, folder or pattern of the current configuration.', required: true }),
    proposed: Args.string({ name: 'PROPOSED', description: 'File, folder or pattern of the proposed configuration.', required: true }),
  };

  static override flags = { ...place, html, ...evaluation, ...rendering, rules, config, 'policy-from': policyFrom, remote, json };

  async run(): Promise<void> {
    const installed = await installedPlugins(this.config);
    const { args, flags } = await this.parse({ ...Validate, flags: withIncreases(Validate.flags, installed) });
    const { increaseLimits, checkIncreases } = await import('../increase.js');
    const limits = increaseLimits(
      flags,
      comparisonMembersOf(installed).map(({ compare }) => compare.member),
    );
    const { folderOfCurrent, whichConfiguration } = await import('../current-side.js');
    const installation = await openInstallation(this.config, flags, await folderOfCurrent(args.current));
    const which = await whichConfiguration(installation.loaded, flags.config);
    if (which !== '') process.stderr.write(`${which}\n`);
    const { inputsAt, evaluationFromFlags, placeFromFlags, renderingOf } = await import('@bylaw/core/command/evaluation');
    const readers = await readersOf(installation);
    const how = await renderingOf(flags, installation);
    const [current, proposed] = [await inputsAt([args.current], how, readers), await inputsAt([args.proposed], how, readers)];
    await refuseManifest(flags.html, [...current.inputs, ...proposed.inputs]);
    const { compareSides } = await import('../evaluation/compare-sides.js');
    const request = {
      ...(await evaluationFromFlags(flags, installation.loaded)),
      ...(flags['policy-from'] !== undefined && { exceptionsOfCurrent: true }),
      current,
      proposed,
      place: placeFromFlags(flags, installation.loaded.config.workloads),
    };
    const comparison = await compareSides(request, installation, flags);
    const { differencesOf } = await import('../output/differences.js');
    const isShown = !flags.json || flags.html !== undefined || limits.size > 0;
    const differences = differencesOf(comparison, isShown ? await differenceViewsOf(installed) : []);
    if (flags.html !== undefined) {
      const { comparisonPage } = await import('../output/comparison-page.js');
      const page = await comparisonPage(comparison, differences, args);
      await writeFileWhole(flags.html, async (out) => out.write(page));
    }
    if (flags.json) await printJson(comparison);
    else {
      const { comparisonText } = await import('../output/comparison-text.js');
      await print(comparisonText(comparison, differences, terminal()));
    }
    const { exceeded, unknown, notices } = checkIncreases(differences, limits);
    for (const notice of notices) process.stderr.write(`${notice}\n`);
    process.exitCode = comparison.verdict === 'incomplete' || unknown ? 2 : comparison.verdict === 'regressed' || exceeded ? 1 : 0;
  }
}
