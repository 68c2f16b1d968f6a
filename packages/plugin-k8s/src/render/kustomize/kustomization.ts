import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isKustomizationFile, isObject, type JsonObject, type JsonValue, parseDocuments } from '@bylaw/core/resource';

/** A folder with a kustomization file, and what it refers to. */
export interface Kustomization {
  /** Real path. */
  folder: string;
  /** Name of the file: `kustomization.yaml`, `kustomization.yml` or `Kustomization`. */
  file: string;
  /** A component changes what others build, and builds nothing alone. */
  component: boolean;
  /** A file of this name that is an object of something else, such as Flux. */
  foreign: boolean;
  buildMetadata: string[];
  /** Kustomizations that it builds on, by their real paths. */
  folders: string[];
  /** Files whose objects are in its output, or that fail to build if they are anything else, by their real paths. */
  files: string[];
  /** Files that it takes in as data, by their real paths: whatever they hold, it builds. */
  data: string[];
  /** Patches with a target. Kustomize applies them to everything that it selects, and says nothing if that is nothing. */
  targeted: TargetedPatch[];
  /** Whatever is to be fetched. */
  remote: string[];
  /** Whether it inflates Helm charts. */
  charts: boolean;
  /** Values of Secrets that it generates. */
  secrets: string[];
}

export interface TargetedPatch {
  /** Real path. */
  file: string;
  target: JsonObject;
}

/** Undefined where the folder does not have one. */
export async function readKustomization(folder: string): Promise<Kustomization | undefined> {
  const names = await readdir(folder).catch(() => []);
  const file = names.find(isKustomizationFile);
  if (file === undefined) return undefined;
  const value = await readValue(join(folder, file));
  const { apiVersion, kind } = value;
  return {
    folder,
    file,
    component: kind === 'Component',
    foreign: typeof apiVersion === 'string' && !apiVersion.startsWith('kustomize.config.k8s.io/'),
    buildMetadata: texts(value.buildMetadata),
    charts: ['helmCharts', 'helmChartInflationGenerator'].some((field) => objects(value[field]).length > 0),
    secrets: objects(value.secretGenerator).flatMap(({ literals }) => texts(literals).map(withoutKey)),
    ...(await filesOf(folder, value)),
  };
}

async function filesOf(
  folder: string,
  value: JsonObject,
): Promise<Pick<Kustomization, 'folders' | 'files' | 'remote' | 'data' | 'targeted'>> {
  const [used, data] = [await resolved(folder, referencesOf(value)), await resolved(folder, dataOf(value))];
  const targeted: TargetedPatch[] = [];
  for (const { path, target } of [...objects(value.patches), ...objects(value.patchesJson6902)]) {
    if (!isObject(target)) continue;
    const { files, remote } = await resolved(folder, texts([path ?? '']).filter(isReference));
    targeted.push(...files.map((file) => ({ file, target })));
    used.remote.push(...remote);
  }
  return { ...used, remote: [...used.remote, ...data.remote], data: data.files, targeted };
}

/** Empty where it cannot be read: kustomize says why. To read a pipe would never end. */
async function readValue(path: string): Promise<JsonObject> {
  try {
    if (!(await stat(path)).isFile()) return {};
    const value = parseDocuments({ file: path, index: 0, text: await readFile(path, 'utf8'), line: 1 })[0]?.value;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * All that the fields of a kustomization name (https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/). `crds` are left out: they
 * only explain kinds to kustomize, and are not in its output.
 */
function referencesOf(kustomization: JsonObject): string[] {
  return [
    ...ACCUMULATED.flatMap((field) => texts(kustomization[field])),
    ...PATCHED.flatMap((field) => objects(kustomization[field])).flatMap(({ path, target }) =>
      // See `targeted`.
      isObject(target) ? [] : texts([path ?? '']),
    ),
  ].filter(isReference);
}

/** What generators take in as values, and the schema of kinds. */
function dataOf(kustomization: JsonObject): string[] {
  const generators = [...objects(kustomization.configMapGenerator), ...objects(kustomization.secretGenerator)];
  return [
    ...generators.flatMap(({ files, envs, env }) => [...texts(files).map(withoutKey), ...texts(envs), ...texts([env ?? ''])]),
    ...(isObject(kustomization.openapi) ? texts([kustomization.openapi.path ?? '']) : []),
  ].filter(isReference);
}

/** Not empty, and not the text itself. */
function isReference(reference: string): boolean {
  return reference !== '' && !reference.includes('\n');
}

const ACCUMULATED = [
  'resources',
  'bases',
  'components',
  'configurations',
  'generators',
  'transformers',
  'validators',
  'patchesStrategicMerge',
];
const PATCHED = ['patches', 'patchesJson6902', 'replacements'];

/** `key=path`, or only the path. */
function withoutKey(file: string): string {
  return file.slice(file.indexOf('=') + 1);
}

async function resolved(folder: string, references: readonly string[]): Promise<Pick<Kustomization, 'folders' | 'files' | 'remote'>> {
  const found: Pick<Kustomization, 'folders' | 'files' | 'remote'> = { folders: [], files: [], remote: [] };
  for (const reference of references) {
    if (isRemote(reference)) {
      found.remote.push(reference);
      continue;
    }
    try {
      const path = await realpath(resolve(folder, reference));
      ((await stat(path)).isDirectory() ? found.folders : found.files).push(path);
    } catch {
      // Kustomize says that it is missing, or takes it for an address.
    }
  }
  return found;
}

/** What is an address without doubt. Others, such as `github.com/org/repo`, kustomize tries as a path first, and then asks git. */
function isRemote(reference: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^git::|^[\w.-]+@[\w.-]+:/i.test(reference);
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
