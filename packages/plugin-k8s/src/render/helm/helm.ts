import { readFile } from 'node:fs/promises';
import { basename, join, posix, relative, sep } from 'node:path';
import { boundaryOf, isObject, matcherOf, parseDocuments, type Rendered, type Renderer, type RenderOptions } from '@bylaw/core/resource';
import { type Failing, failure, notRendered, programMissing, shellWord, tooLarge } from '../program/failure.js';
import { findProgram } from '../program/program.js';
import { limitsOf, type ProgramResult, type RenderSettings, runProgram } from '../program/run-program.js';
import { inWorkspace, isolatedEnvironment } from '../program/workspace.js';
import { hasForeignSchema } from './foreign-schema.js';
import { inputsByTemplate, sourcesIn } from './helm-output.js';
import { secretValues } from './secret-values.js';
import { type StagedChart, stageChart } from './stage-chart.js';

/** Renders charts, folders or packed, with `helm template`: as an installation with these values would, and without a cluster or a network. */
export function helmRenderer(settings: RenderSettings): Renderer {
  return {
    name: 'helm',
    recognises: (path, names) => names?.includes('Chart.yaml') ?? isPacked(path),
    render: (path, displayName, options) => renderChart({ path, displayName }, options, settings),
  };
}

function isPacked(path: string): boolean {
  return /\.(?:tgz|tar\.gz)$/.test(path);
}

interface Chart {
  path: string;
  displayName: string;
}

async function renderChart(chart: Chart, options: RenderOptions, settings: RenderSettings): Promise<Rendered> {
  const failing: Failing = {
    what: 'Helm chart',
    file: isPacked(chart.path) ? chart.displayName : posix.join(chart.displayName, 'Chart.yaml'),
    command: `helm template ${shellWord(chart.displayName)}`,
  };
  const program = await findProgram('SVC_HELM', ['helm'], settings.env);
  if (program === undefined) return notRendered(programMissing(failing, MISSING));
  return inWorkspace(async (folder) => {
    const copy = await copyOf(chart, options, folder);
    if (copy === undefined) return notRendered(tooLarge(failing, '20,000 files or 256 MiB'));
    const run = (args: string[]) =>
      runProgram({ program, args, cwd: folder, env: isolatedEnvironment(folder, settings.env, options), ...limitsOf(settings) });
    const rendered = await renderCopy(copy, { chart, failing, options, settings }, run);
    return { ...rendered, errors: [...copy.errors, ...rendered.errors] };
  });
}

/** What Helm reads: a packed chart itself, else a copy without links in the workspace. */
interface ChartCopy extends StagedChart {
  path: string;
}

async function copyOf(chart: Chart, options: RenderOptions, folder: string): Promise<ChartCopy | undefined> {
  // Helm passes over the links in a packed chart.
  if (isPacked(chart.path)) return { path: chart.path, files: [], linked: [], errors: [] };
  const path = join(folder, 'chart');
  const staged = await stageChart(chart.path, chart.displayName, await boundaryOf(options.root ?? chart.path), path);
  return staged && { path, ...staged };
}

interface Task {
  chart: Chart;
  failing: Failing;
  options: RenderOptions;
  settings: RenderSettings;
}

async function renderCopy(
  copy: ChartCopy,
  { chart, failing, options, settings }: Task,
  run: (args: string[]) => Promise<ProgramResult>,
): Promise<Rendered> {
  if (await isLibrary(copy.path, run)) return { inputs: [], errors: [], covers: [], leftOut: templatesOf(chart, copy) };
  const result = await run(argumentsFor(copy.path, options, settings));
  if (result.status === 'done')
    return {
      inputs: inputsByTemplate(result.output, chart.displayName),
      errors: [],
      ...(await filesOf(chart, copy, result.output, settings)),
      madeFrom: [chart.path, ...copy.linked, ...valuesOf(options, settings)],
    };
  const values = [...(isPacked(chart.path) ? [] : [join(copy.path, 'values.yaml')]), ...valuesOf(options, settings)];
  const secrets = await secretValues([...(options.set ?? []), ...(options.setString ?? [])], values);
  const foreignSchema = isPacked(chart.path) || (await hasForeignSchema(copy.path, copy.files));
  return notRendered(failure(failing, result, settings, { secrets, names: new Map([[copy.path, chart.displayName]]), foreignSchema }));
}

const MISSING = 'helm is not on the PATH. Install Helm (https://helm.sh/docs/intro/install/), or set SVC_HELM to its full path.';

function argumentsFor(path: string, options: RenderOptions, { helm }: RenderSettings): string[] {
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
async function isLibrary(path: string, run: (args: string[]) => Promise<ProgramResult>): Promise<boolean> {
  try {
    const text = isPacked(path) ? await packedMetadata(path, run) : await readFile(join(path, 'Chart.yaml'), 'utf8');
    const value = parseDocuments({ file: path, index: 0, text, line: 1 })[0]?.value;
    return isObject(value) && value.type === 'library';
  } catch {
    // Helm says what is wrong with it.
    return false;
  }
}

async function packedMetadata(path: string, run: (args: string[]) => Promise<ProgramResult>): Promise<string> {
  const result = await run(['show', 'chart', '--', path]);
  return result.status === 'done' ? result.output : '';
}

/** The files of `templates/` that may hold objects, or of a packed chart the chart itself. */
function templatesOf({ path }: Chart, { files }: ChartCopy): string[] {
  if (isPacked(path)) return [path];
  const templates = files.filter((file) => /^templates\/(?!(?:.*\/)?(?:NOTES\.txt|_[^/]*\.tpl)$)/.test(file));
  return templates.map((file) => join(path, file)).sort();
}

/** The custom resource definitions in the output, and the templates that may hold objects of which Helm did not show any. */
async function filesOf(
  chart: Chart,
  copy: ChartCopy,
  output: string,
  { helm }: RenderSettings,
): Promise<Pick<Rendered, 'covers' | 'leftOut'>> {
  if (isPacked(chart.path)) return { covers: [] };
  const rendered = new Set(sourcesIn(output));
  const nameOf = (file: string) => relative(chart.path, file).split(sep).join('/');
  const ignores = matcherOf(await readFile(join(copy.path, '.helmignore'), 'utf8').catch(() => ''));
  const isLeftOut = async (name: string) => {
    if (ignores(name)) return true;
    if (rendered.has(name)) return false;
    const text = await readFile(join(copy.path, name), 'utf8').catch(() => '');
    return isPartial(name) ? !DEFINES.test(text) : !helm.tests && TEST_HOOK.test(text);
  };
  const leftOut: string[] = [];
  for (const file of templatesOf(chart, copy)) if (await isLeftOut(nameOf(file))) leftOut.push(file);
  return {
    covers: copy.files.filter((file) => file.startsWith('crds/') && rendered.has(file)).map((file) => join(chart.path, file)),
    leftOut,
  };
}

/** Helm renders such a template only where another one includes what it defines. */
function isPartial(name: string): boolean {
  return basename(name).startsWith('_');
}

const DEFINES = /\{\{-?\s*define\s/;

/** `helm template --skip-tests` leaves out what has this annotation. */
const TEST_HOOK = /helm\.sh\/hook["']?\s*:.*\btest/;
