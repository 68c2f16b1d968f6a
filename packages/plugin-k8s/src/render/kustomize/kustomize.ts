import { basename, posix, relative, sep } from 'node:path';
import type { InputError } from '@bylaw/core/errors';
import { boundaryOf, isKustomizationFile, type Rendered, type Renderer, type RenderOptions, textInput } from '@bylaw/core/resource';
import { type Failing, failure, needsNetwork, notRendered, programMissing, renderFailed, shellWord } from '../program/failure.js';
import { findProgram } from '../program/program.js';
import type { RenderSettings } from '../program/run-program.js';
import type { Kustomization } from './kustomization.js';
import { kustomizationsFrom, rootKustomizations } from './kustomization-graph.js';
import { buildKustomization } from './kustomize-build.js';
import { inputsByOrigin } from './kustomize-origin.js';

/** Renders kustomizations with `kustomize build` or `kubectl kustomize`: no plugins, no Helm charts, no files outside of the folders that it builds on. */
export function kustomizeRenderer(settings: RenderSettings): Renderer {
  return {
    name: 'kustomize',
    recognises: (_path, names) => names?.some(isKustomizationFile) ?? false,
    roots: rootKustomizations,
    render: (path, shown, options) => renderKustomization(path, shown, options, settings),
  };
}

async function renderKustomization(path: string, displayName: string, options: RenderOptions, settings: RenderSettings): Promise<Rendered> {
  const all = await kustomizationsFrom([path]);
  const program = await findProgram('SVC_KUSTOMIZE', ['kustomize', 'kubectl'], settings.env);
  const failing: Failing = {
    what: 'kustomization',
    file: posix.join(displayName, all[0]?.file ?? 'kustomization.yaml'),
    command: `${isKubectl(program) ? 'kubectl kustomize' : 'kustomize build'} ${shellWord(displayName)}`,
  };
  const refusal = refusalOf(all, failing, options) ?? (await outsideRefusal(all, failing, path, options));
  if (refusal !== undefined) return notRendered(refusal);
  if (program === undefined) return notRendered(programMissing(failing, MISSING));
  const call = { program, verb: isKubectl(program) ? 'kustomize' : 'build', network: options.network };
  const targeted = all.flatMap((one) => one.targeted);
  const { result, folder } = await buildKustomization(path, { buildMetadata: all[0]?.buildMetadata ?? [], targeted }, call, settings);
  const redaction = { secrets: all.flatMap(({ secrets }) => secrets), names: new Map([[path, displayName]]) };
  if (result.status !== 'done') return notRendered(failure(failing, result, settings, redaction));
  const files = all.flatMap((one) => one.files);
  // Kustomize reads files in and below the folder of each kustomization only; a remote base can change without any of them.
  const madeFrom = all.some(({ remote }) => remote.length > 0) ? undefined : all.map((one) => one.folder);
  const about = { covers: files, data: all.flatMap(({ data }) => data), ...(madeFrom && { madeFrom }) };
  // Without the overlay nothing tells which patches were applied: they are read, and a part of an object is named.
  if (folder === undefined) return { inputs: [textInput(failing.file, result.output, { rendered: displayName })], errors: [], ...about };
  const nameOf = (target: string) => posix.join(displayName, relative(path, target).split(sep).join('/'));
  const { applied, ...read } = await inputsByOrigin(result.output, { folder, nameOf, otherwise: failing.file, rendered: displayName });
  return { ...read, ...about, covers: [...files, ...targeted.filter((_, index) => applied.has(index)).map(({ file }) => file)] };
}

function isKubectl(program: string | undefined): boolean {
  return program !== undefined && basename(program).startsWith('kubectl');
}

/** Why a kustomization is not built at all. */
function refusalOf(all: readonly Kustomization[], failing: Failing, { network }: RenderOptions): InputError | undefined {
  const remote = all.flatMap((one) => one.remote)[0];
  if (remote !== undefined && !network) return needsNetwork(failing, `it refers to ${remote.replace(/:\/\/[^/@]*@/, '://***@')}.`);
  if (!all.some(({ charts }) => charts)) return undefined;
  // Kustomize hands values of the file to helm as they are, among them such that name programs to run.
  const reason = 'it inflates Helm charts, but bylaw does not allow kustomize to start helm.';
  return renderFailed(failing, reason, `To evaluate the rendered manifests: ${failing.command} --enable-helm | bylaw evaluate -`);
}

/** What it builds on must come with it: from the repository, or without one from the folder that the user named, unless that is only the kustomization. */
async function outsideRefusal(
  all: readonly Kustomization[],
  failing: Failing,
  path: string,
  { root = path }: RenderOptions,
): Promise<InputError | undefined> {
  const boundary = await boundaryOf(root);
  const confined = boundary.inRepository || root !== path;
  if (!confined || all.every(({ folder }) => boundary.holds(folder))) return undefined;
  const reason = 'it uses a folder outside the evaluated folder and its Git repository.';
  return renderFailed(failing, reason, `To evaluate what it builds: ${failing.command} | bylaw evaluate -`);
}

const MISSING =
  'neither kustomize nor kubectl is on the PATH. Install one (https://kubectl.docs.kubernetes.io/installation/kustomize/), or set SVC_KUSTOMIZE to its full path. With --no-render, its files are evaluated unrendered.';
