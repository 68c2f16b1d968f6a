import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Rendered, Renderer, RenderOptions } from '@bylaw/core/resource';
import { type Failing, failure, notRendered, programMissing, shellWord } from './failure.js';
import { inputsByTemplate } from './helm-output.js';
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
      covers: await definitionsOf(chart),
      madeFrom: [chart.path, ...valuesOf(options, settings)],
    };
  if (result.status === 'failed' && LIBRARY.test(result.stderr)) return { inputs: [], errors: [], covers: [] };
  const values = [...(isPacked(chart.path) ? [] : [join(chart.path, 'values.yaml')]), ...valuesOf(options, settings)];
  const secrets = await secretValues([...(options.set ?? []), ...(options.setString ?? [])], values);
  return notRendered(failure(failing, result, settings, { secrets, names: new Map([[chart.path, chart.shown]]) }));
}

const MISSING = 'helm is not on the PATH. Install Helm (https://helm.sh/docs/intro/install/), or set SVC_HELM to its full path.';

/** A library chart has nothing to install: other charts use it. */
const LIBRARY = /library charts are not installable/;

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

/** The custom resource definitions of a chart, which stand in its output. */
async function definitionsOf({ path }: Chart): Promise<string[]> {
  const entries = await readdir(join(path, 'crds'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}
