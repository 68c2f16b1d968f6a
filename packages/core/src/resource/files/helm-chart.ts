import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { InputError } from '../../errors.js';

/** A Helm chart is rendered before rules see it: its templates are not YAML, and its values are not manifests. */

/** The file that makes a directory a chart. */
export const CHART_FILE = 'Chart.yaml';

export function isChart(directory: string): boolean {
  try {
    return statSync(join(directory, CHART_FILE), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Whether a directory of a chart is left to `helm template`: its templates, and the charts that it depends on. `crds/` holds manifests. */
export function isRenderedByHelm(directoryOfChart: string): boolean {
  return ['templates', 'charts'].includes(basename(directoryOfChart));
}

/** Whether a file beside Chart.yaml belongs to the chart itself. */
export function isChartFile(name: string): boolean {
  return /^(?:Chart|requirements)\.ya?ml$|^values[^/]*\.(?:ya?ml|json)$/i.test(name);
}

/** The chart to whose templates (or vendored charts) a path belongs, or undefined. */
export function chartAround(path: string): string | undefined {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (isRenderedByHelm(at) && isChart(dirname(at))) return chartAround(dirname(at)) ?? dirname(at);
  }
  return undefined;
}

/** The one error that a chart gives. `directory` is the name under which the user knows it. */
export function chartNotRendered(directory: string): InputError {
  const shown = /^[\w./@:+-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", "'\\''")}'`;
  return {
    code: 'template-not-rendered',
    message: `This is a Helm chart. Its templates must be rendered first: helm template ${shown} | bylaw evaluate -`,
    location: { file: `${directory}/Chart.yaml`, line: 1, column: 1 },
  };
}
