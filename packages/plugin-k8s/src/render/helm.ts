import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { isObject, matcherOf, parseDocuments, type Rendered, type Renderer, type RenderOptions } from '@bylaw/core/resource';
import { type Failing, failure, notRendered, programMissing, shellWord } from './failure.js';
import { inputsByTemplate, sourcesIn } from './helm-output.js';
import { findProgram } from './program.js';
import { runProgram } from './run-program.js';
import { secretValues } from './secret-values.js';
import { limitsOf, type RenderSettings } from './settings.js';
import { inWorkspace, isolatedEnvironment } from './workspace.js';

/** Renders charts, folders or packed, with `helm template`: as an installation with these values would, and without a cluster or a network. */
export function helmRenderer(settings: RenderSettings): Renderer {
  return {
    name: 'helm',
    recognises: (path, names) => names?.includes('Chart.yaml') ?? isPacked(path),
    render: (path, shown, options) => renderChart({ path, shown }, options, settings),
  };
}

function isPacked(path: string): boolean {
  return /\.(?:tgz|tar\.gz)$/.test(path);
}

interface Chart {
  path: string;
  shown: string;
}

async function renderChart(chart: Chart, options: RenderOptions, settings: RenderSettings): Promise<Rendered> {
  const failing: Failing = {
    what: 'Helm chart',
    file: isPacked(chart.path) ? chart.shown : posix.join(chart.shown, 'Chart.yaml'),
    command: `helm template ${shellWord(chart.shown)}`,
  };
  const program = await findProgram('SVC_HELM', ['helm'], settings.env);
  if (program === undefined) return notRendered(programMissing(failing, MISSING));
  if (await isLibrary(chart, program, settings)) return { inputs: [], errors: [], covers: [], leftOut: await templatesOf(chart) };
  const result = await inWorkspace((folder) =>
    runProgram({
      program,
      args: argumentsFor(chart, options, settings),
      cwd: folder,
      env: isolatedEnvironment(folder, settings.env, options),
      ...limitsOf(settings),
    }),
  );
  if (result.status === 'done')
    return {
      inputs: inputsByTemplate(result.output, chart.shown),
      errors: [],
      ...(await filesOf(chart, result.output)),
      madeFrom: [chart.path, ...valuesOf(options, settings)],
    };
  const values = [...(isPacked(chart.path) ? [] : [join(chart.path, 'values.yaml')]), ...valuesOf(options, settings)];
  const secrets = await secretValues([...(options.set ?? []), ...(options.setString ?? [])], values);
  return notRendered(failure(failing, result, settings, { secrets, names: new Map([[chart.path, chart.shown]]) }));
}

const MISSING = 'helm is not on the PATH. Install Helm (https://helm.sh/docs/intro/install/), or set SVC_HELM to its full path.';

function argumentsFor({ path }: Chart, options: RenderOptions, { helm }: RenderSettings): string[] {
  const kubeVersion = options.kubeVersion ?? helm.kube_version;
  return [
    'template',
    '--include-crds',
    ...(helm.tests ? [] : ['--skip-tests']),
    `--namespace=${options.namespace}`,
    ...valuesOf(options, { helm }).map((file) => `--values=${csvField(file)}`),
    ...(options.set ?? []).map((value) => `--set=${value}`),
    ...(options.setString ?? []).map((value) => `--set-string=${value}`),
    ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
    ...(options.apiVersions ?? helm.api_versions).map((version) => `--api-versions=${version}`),
    '--',
    options.release ?? helm.release,
    path,
  ];
}

function valuesOf(options: RenderOptions, { helm }: Pick<RenderSettings, 'helm'>): readonly string[] {
  return options.values ?? helm.values;
}

/** Helm takes a list of files separated by commas. */
function csvField(path: string): string {
  return /[",]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
}

/** Whether Chart.yaml says so: then Helm renders its templates only in the charts that use it. */
async function isLibrary({ path }: Chart, program: string, settings: RenderSettings): Promise<boolean> {
  const text = isPacked(path) ? await packedMetadata(path, program, settings) : await readFile(join(path, 'Chart.yaml'), 'utf8');
  try {
    const value = parseDocuments({ file: path, index: 0, text, line: 1 })[0]?.value;
    return isObject(value) && value.type === 'library';
  } catch {
    // Helm says what is wrong with it.
    return false;
  }
}

async function packedMetadata(path: string, program: string, settings: RenderSettings): Promise<string> {
  const result = await inWorkspace((folder) =>
    runProgram({
      program,
      args: ['show', 'chart', '--', path],
      cwd: folder,
      env: isolatedEnvironment(folder, settings.env, { network: false }),
      ...limitsOf(settings),
    }),
  );
  return result.status === 'done' ? result.output : '';
}

/** The files of `templates/` that may hold objects, or of a packed chart the chart itself. */
async function templatesOf({ path }: Chart): Promise<string[]> {
  if (isPacked(path)) return [path];
  return (await filesBelow(join(path, 'templates'))).filter((file) => !/[\\/](?:NOTES\.txt|_[^\\/]*\.tpl)$/.test(file)).sort();
}

/** The custom resource definitions in the output, and the templates that Helm did not read. */
async function filesOf(chart: Chart, output: string): Promise<Pick<Rendered, 'covers' | 'leftOut'>> {
  if (isPacked(chart.path)) return { covers: [] };
  const rendered = new Set(sourcesIn(output));
  const nameOf = (file: string) => relative(chart.path, file).split(sep).join('/');
  const ignores = matcherOf(await readFile(join(chart.path, '.helmignore'), 'utf8').catch(() => ''));
  const definitions = await filesBelow(join(chart.path, 'crds'));
  return {
    covers: definitions.filter((file) => rendered.has(nameOf(file))),
    leftOut: (await templatesOf(chart)).filter((file) => ignores(nameOf(file))),
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}
