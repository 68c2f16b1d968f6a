import { isInputError, type Rendered, type RenderOptions, type Resource, readDocument, splitDocuments } from '@bylaw/core/resource';
import { findProgram } from '../program/program.js';
import type { RenderSettings } from '../program/run-program.js';

/** Tests of the real programs are skipped where these are absent; `.ci/tools` builds them. */
export const noHelm = (await findProgram('SVC_HELM', ['helm'], process.env)) === undefined;
export const noKustomize = (await findProgram('SVC_KUSTOMIZE', ['kustomize', 'kubectl'], process.env)) === undefined;

export const SETTINGS: RenderSettings = {
  enabled: true,
  timeout_ms: 60_000,
  max_bytes: 1_000_000,
  helm: { release: 'release-name', values: [], api_versions: [], tests: false },
  env: process.env,
};

export const OPTIONS: RenderOptions = { network: false, namespace: 'default' };

/** The objects of what was rendered, as `file kind/name`, and what is wrong. */
export async function contentOf({
  inputs,
  errors,
}: Rendered): Promise<{ objects: Resource[]; names: string[]; errors: Rendered['errors'] }> {
  const objects: Resource[] = [];
  for (const input of inputs)
    for await (const part of splitDocuments(input)) {
      if (isInputError(part)) throw new Error(part.message);
      for (const resource of readDocument(part).resources) objects.push(resource);
    }
  return { objects, names: objects.map(({ source, kind, name }) => `${source.file} ${kind}/${name}`), errors };
}
