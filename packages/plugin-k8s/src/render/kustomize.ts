import { writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, posix, relative, sep } from 'node:path';
import { type Rendered, type Renderer, type RenderOptions, textInput } from '@bylaw/core/resource';
import { type Failing, failure, needsNetwork, programMissing, shellWord } from './failure.js';
import type { Kustomization } from './kustomization.js';
import { kustomizationsFrom, rootKustomizations } from './kustomization-graph.js';
import { inputsByOrigin } from './kustomize-origin.js';
import { findProgram } from './program.js';
import { type ProgramResult, runProgram } from './run-program.js';
import type { RenderSettings } from './settings.js';
import { inWorkspace, isolatedEnvironment } from './workspace.js';

/** Renders kustomizations with `kustomize build` or `kubectl kustomize`: no plugins, no Helm charts, no files outside of the folders that it builds upon. */
export function kustomizeRenderer(settings: RenderSettings): Renderer {
  return {
    name: 'kustomize',
    recognises: (_path, names) => names?.some((name) => FILE_NAMES.includes(name)) ?? false,
    roots: rootKustomizations,
    render: (path, shown, options) => renderKustomization(path, shown, options, settings),
  };
}

const FILE_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

async function renderKustomization(path: string, shown: string, options: RenderOptions, settings: RenderSettings): Promise<Rendered> {
  const all = await kustomizationsFrom(path);
  const file = posix.join(shown, all[0]?.file ?? 'kustomization.yaml');
  const remote = all.flatMap((one) => one.remote)[0];
  if (remote !== undefined && !options.network) return failed(needsNetwork(file, WHAT, `it refers to ${withoutCredentials(remote)}.`));
  const program = await findProgram('SVC_KUSTOMIZE', ['kustomize', 'kubectl'], settings.env);
  const command = `${isKubectl(program) ? 'kubectl kustomize' : 'kustomize build'} ${shellWord(shown)}`;
  const failing: Failing = { what: WHAT, file, command };
  if (program === undefined) return failed(programMissing(failing, MISSING));
  return inWorkspace(async (folder) => {
    const build = (target: string) => runBuild(program, target, folder, options, settings);
    const names = new Map([[path, shown]]);
    const withOrigins = await buildWithOrigins(path, folder, all[0], build);
    if (withOrigins?.status === 'done') {
      const nameOf = (target: string) => posix.join(shown, relative(path, target).split(sep).join('/'));
      const { inputs, errors } = await inputsByOrigin(withOrigins.output, { folder, nameOf, otherwise: file, rendered: shown });
      return { inputs, errors, covers: all.flatMap((one) => one.files) };
    }
    if (withOrigins !== undefined && withOrigins.status !== 'failed')
      return failed(failure(failing, withOrigins, settings, { secrets: [], names }));
    // What the overlay adds to an error says nothing to the user, and where it is the overlay that fails, the rest need not.
    const plain = await build(path);
    if (plain.status !== 'done') return failed(failure(failing, plain, settings, { secrets: [], names }));
    return { inputs: [textInput(file, plain.output, { rendered: shown })], errors: [], covers: all.flatMap((one) => one.files) };
  });
}

const WHAT = 'kustomization';

const MISSING =
  'there is neither kustomize nor kubectl on the PATH to render it. Install one (https://kubectl.docs.kubernetes.io/installation/kustomize/), or name it with its full path in SVC_KUSTOMIZE; --no-render judges its files as they are.';

/**
 * Builds through an overlay that only asks for the origin of each object. Undefined where no overlay can refer to the folder: kustomize takes
 * relative paths only.
 */
async function buildWithOrigins(
  path: string,
  folder: string,
  root: Kustomization | undefined,
  build: (target: string) => Promise<ProgramResult>,
): Promise<ProgramResult | undefined> {
  const target = relative(folder, path);
  if (isAbsolute(target)) return undefined;
  const overlay = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    buildMetadata: [...new Set([...(root?.buildMetadata ?? []), 'originAnnotations'])],
    resources: [target.split(sep).join('/')],
  };
  await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
  return build(folder);
}

function runBuild(
  program: string,
  target: string,
  folder: string,
  { network }: RenderOptions,
  settings: RenderSettings,
): Promise<ProgramResult> {
  return runProgram({
    program,
    args: [isKubectl(program) ? 'kustomize' : 'build', target, '--load-restrictor=LoadRestrictionsRootOnly'],
    cwd: folder,
    env: isolatedEnvironment(folder, settings.env, { network }),
    timeoutMs: settings.timeout_ms,
    maxBytes: settings.max_bytes,
  });
}

function isKubectl(program: string | undefined): boolean {
  return program !== undefined && basename(program).startsWith('kubectl');
}

function withoutCredentials(address: string): string {
  return address.replace(/:\/\/[^/@]*@/, '://***@');
}

function failed(error: Rendered['errors'][number]): Rendered {
  return { inputs: [], errors: [error], covers: [] };
}
