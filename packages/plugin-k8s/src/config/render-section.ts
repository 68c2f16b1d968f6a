import { resolve } from 'node:path';
import type { Config, ConfigSections } from '@bylaw/core/config';

const text = { type: 'string', minLength: 1 } as const;

/**
 * The section `render` of `bylaw.yaml`. It names no program and cannot allow the network: the file may come with the repository that is judged, and
 * what runs and what it may reach is decided by whoever starts bylaw.
 */
export const RENDER_SECTION: ConfigSections = {
  render: {
    description: 'How Helm charts and kustomizations are rendered before they are judged.',
    type: 'object',
    additionalProperties: false,
    properties: {
      enabled: { description: 'Whether they are rendered at all, as without `--no-render`.', type: 'boolean', default: true },
      timeout_ms: {
        description: 'Longest time for one chart or kustomization, in milliseconds.',
        type: 'integer',
        minimum: 100,
        maximum: 600_000,
        default: 30_000,
      },
      max_bytes: {
        description: 'Most bytes that one chart or kustomization may render to.',
        type: 'integer',
        minimum: 1024,
        maximum: 268_435_456,
        default: 67_108_864,
      },
      helm: {
        description: 'What every chart is rendered with where flags say nothing else.',
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
            description: 'Files of values, relative to this file; later ones win.',
            type: 'array',
            items: { ...text, isPath: true, instead: 'pass --helm-values' },
            default: [],
          },
          kube_version: {
            description: 'Version of Kubernetes that charts are told. Absent: the one that the helm program knows.',
            ...text,
          },
          api_versions: {
            description: 'Further APIs that charts are told the cluster has, such as `monitoring.coreos.com/v1`.',
            type: 'array',
            items: text,
            default: [],
          },
          tests: { description: 'Whether the tests of charts (`helm.sh/hook: test`) are judged, too.', type: 'boolean', default: false },
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
