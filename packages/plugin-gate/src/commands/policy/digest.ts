import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { bundleFolder, config, json } from '../../cli/terminal/input-flags.js';

export default class PolicyDigest extends Command {
  static override summary = 'Print the digest of a policy bundle, as recorded in every verdict.';

  static override description =
    'The digest covers the path and the content of every file. A folder and a tar archive of it have the same digest.';

  static override examples = ['<%= config.bin %> policy digest', '<%= config.bin %> policy digest ./policies.tar'];

  static override args = { dir: bundleFolder };

  static override flags = { config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyDigest);
    const { bundlePath, BundleErrors } = await import('../../cli/open/open-bundle.js');
    const { bundleDigest, BundleFilesError, readBundleFiles } = await import('../../policy/index.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const path = bundlePath(await openInstallation(this.config, flags), args.dir);
    const files = await readBundleFiles(path).catch((error: unknown) => {
      throw error instanceof BundleFilesError ? new BundleErrors([error.error]) : error;
    });
    const digest = bundleDigest(files);
    await (flags.json ? printJson({ digest, files: files.size }) : print(`${digest}\n`));
  }
}
