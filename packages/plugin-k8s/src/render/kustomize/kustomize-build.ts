import { writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { limitsOf, type ProgramResult, type RenderSettings, runProgram } from '../program/run-program.js';
import { inWorkspace, isolatedEnvironment } from '../program/workspace.js';
import type { TargetedPatch } from './kustomization.js';
import { marking } from './patch-marks.js';

export interface BuildCall {
  /** Absolute path. */
  program: string;
  verb: string;
  network: boolean;
}

/** How a build ended. If its objects carry their origins and the marks of patches, `folder` is where the paths of the origins start. */
export interface Build {
  result: ProgramResult;
  folder?: string;
}

/**
 * Builds a kustomization through an overlay that asks for the origin of each object, and marks the objects that patches select. If that fails, it is
 * built without the overlay: what an overlay adds to an error does not help the user, and if only the overlay fails, the objects are still there.
 */
export function buildKustomization(
  path: string,
  { buildMetadata, targeted }: Overlay,
  call: BuildCall,
  settings: RenderSettings,
): Promise<Build> {
  return inWorkspace(async (folder) => {
    const run = (target: string) => runBuild(target, folder, call, settings);
    if (!(await writeOverlay(folder, path, { buildMetadata, targeted }))) return { result: await run(path) };
    const result = await run(folder);
    return result.status === 'failed' ? { result: await run(path) } : { result, folder };
  });
}

/** What the overlay keeps of the kustomization, and the patches that it watches. */
export interface Overlay {
  buildMetadata: readonly string[];
  targeted: readonly TargetedPatch[];
}

/** False where no overlay can refer to the path: kustomize takes relative ones only, and there is none from one drive to another. */
async function writeOverlay(folder: string, path: string, { buildMetadata, targeted }: Overlay): Promise<boolean> {
  const base = relative(folder, path);
  if (isAbsolute(base)) return false;
  const overlay = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    buildMetadata: [...new Set([...buildMetadata, 'originAnnotations'])],
    resources: [base.split(sep).join('/')],
    patches: targeted.map(marking),
  };
  await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
  return true;
}

function runBuild(target: string, folder: string, { program, verb, network }: BuildCall, settings: RenderSettings): Promise<ProgramResult> {
  return runProgram({
    program,
    args: [verb, target, '--load-restrictor=LoadRestrictionsRootOnly'],
    cwd: folder,
    env: isolatedEnvironment(folder, settings.env, { network }),
    ...limitsOf(settings),
  });
}
