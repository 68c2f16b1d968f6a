import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BylawError } from '../../errors.js';
import type { Installation } from '../../installation.js';
import type { Rendering } from '../../resource/index.js';

/** Flags of the commands that render what they read. */
export interface RenderingFlags {
  'no-render': boolean;
  'render-network': boolean;
  'helm-values'?: string[] | undefined;
  'helm-set'?: string[] | undefined;
  'helm-set-string'?: string[] | undefined;
  'helm-release'?: string | undefined;
  'helm-kube-version'?: string | undefined;
  'helm-api-versions'?: string[] | undefined;
  namespace?: string | undefined;
}

/**
 * How the inputs of a command are rendered; undefined with `--no-render`. Rendering happens here, also for the work that a server does.
 * @throws {BylawError} `usage`, `path-not-found`
 */
export async function renderingOf(
  flags: RenderingFlags,
  { plugins, loaded }: Pick<Installation, 'plugins' | 'loaded'>,
): Promise<Rendering | undefined> {
  if (flags['no-render']) return undefined;
  const { config, base } = loaded;
  const context = { config, base, env: process.env };
  const renderers = await Promise.all(plugins.map(({ plugin }) => plugin.renderers?.(context) ?? []));
  const { 'helm-set': set, 'helm-set-string': setString, 'helm-kube-version': kubeVersion, 'helm-api-versions': apiVersions } = flags;
  const release = checkedRelease(flags['helm-release']);
  const values = await valuesFiles(flags['helm-values']);
  return {
    renderers: renderers.flat(),
    options: {
      network: flags['render-network'],
      namespace: flags.namespace ?? config.evaluate.namespace,
      ...(release !== undefined && { release }),
      ...(values && { values }),
      ...(set && { set }),
      ...(setString && { setString }),
      ...(kubeVersion !== undefined && { kubeVersion }),
      ...(apiVersions && { apiVersions }),
    },
  };
}

/** Names that Helm takes for a release. */
const RELEASE = /^[a-z0-9][-a-z0-9.]{0,51}[a-z0-9]$|^[a-z0-9]$/;

function checkedRelease(name: string | undefined): string | undefined {
  if (name === undefined || RELEASE.test(name)) return name;
  throw new BylawError('usage', '--helm-release must be a valid Helm release name.', {
    hint: 'Use at most 53 lower-case letters, digits, hyphens and dots, for example shop.',
  });
}

async function valuesFiles(files: readonly string[] | undefined): Promise<string[] | undefined> {
  return files && Promise.all(files.map(readable));
}

async function readable(file: string): Promise<string> {
  const path = resolve(file);
  await access(path).catch((cause) => {
    throw new BylawError('path-not-found', `Cannot read the values file ${file} (--helm-values).`, {
      cause,
      hint: 'Check the spelling and the working directory. URLs are not fetched.',
    });
  });
  return path;
}
