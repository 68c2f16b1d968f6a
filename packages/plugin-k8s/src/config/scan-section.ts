import type { Config, ConfigSections } from '@bylaw/core/config';

/**
 * The section `scan` of `bylaw.yaml`. It names no kubeconfig: the file may come with the repository that is evaluated, and a kubeconfig can name
 * programs that are run for credentials.
 */
export const SCAN_SECTION: ConfigSections = {
  scan: {
    description: 'Scans that clients request from the server and the tool server. `bylaw scan` does not need this section.',
    type: 'object',
    default: {},
    additionalProperties: false,
    properties: {
      contexts: {
        description:
          'Kubeconfig contexts that a request can name. Without a name, the server scans the current context, or in a Pod, the cluster that it runs in.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        default: [],
      },
    },
  },
};

export interface ScanConfig {
  contexts: readonly string[];
}

/** The section of a configuration that has been checked and completed. */
export function scanConfigOf(config: Config): ScanConfig {
  return (config as Config & { scan: ScanConfig }).scan; // the schema above has made it so
}
