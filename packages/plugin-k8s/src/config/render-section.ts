import { resolve } from 'node:path';
import type { Config, ConfigSections } from '@bylaw/core/config';

const text = { type: 'string', minLength: 1 } as const;

/**
 * The section `render` of `bylaw.yaml`. It names no program and cannot allow the network: the file may come with the repository that is evaluated, and
 * what runs and what it may reach is decided by whoever starts bylaw.
 */
export const RENDER_SECTION: ConfigSections = {
  render: {
    description: 'How Helm charts and kustomizations are rendered before they are evaluated.',
    type: 'object',
    additionalProperties: false,
    properties: {
      enabled: { description: 'Whether to render them at all. `--no-render` sets it to false.', type: 'boolean', default: true },
      timeout_ms: {
        description: 'Maximum time for one chart or kustomization, in milliseconds.',
        type: 'integer',
        minimum: 100,
        maximum: 600_000,
        default: 30_000,
      },
      max_bytes: {
        description: 'Maximum size of one rendered chart or kustomization, in bytes.',
        type: 'integer',
        minimum: 1024,
        maximum: 268_435_456,
        default: 67_108_864,
      },
      helm: {
        description: 'Settings for every chart. Flags override them.',
        type: 'object',
        additionalProperties: false,
        properties: {
          release: {
            description: 'Name of the release.',
            type: 'string',
            pattern: '^[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?$',
            default: 'release-name',
          },
          values: {
            description: 'Values files, relative to this file. Later files override earlier ones.',
            type: 'array',
            items: { ...text, isPath: true, instead: 'pass --helm-values' },
            default: [],
          },
          kube_version: {
            description: 'Kubernetes version that charts see. Absent: the default of the helm program.',
            ...text,
          },
          api_versions: {
            description: 'Additional APIs that charts see as available in the cluster, for example `monitoring.coreos.com/v1`.',
            type: 'array',
            items: text,
            default: [],
          },
          tests: { description: 'Whether to also evaluate the tests of charts (`helm.sh/hook: test`).', type: 'boolean', default: false },
        },
      },
    },
  },
};

/** The section, checked and completed. */
export interface RenderConfig {
  enabled: boolean;
  timeout_ms: number;
  max_bytes: number;
  helm: { release: string; values: readonly string[]; kube_version?: string; api_versions: readonly string[]; tests: boolean };
}

/** The section of a configuration, with absolute paths. `base` is the folder that they start from. */
export function renderConfigOf(config: Config, base: string): RenderConfig {
  const { render } = config as Config & { render: RenderConfig }; // the schema of the section has checked it
  return { ...render, helm: { ...render.helm, values: render.helm.values.map((file) => resolve(base, file)) } };
}
