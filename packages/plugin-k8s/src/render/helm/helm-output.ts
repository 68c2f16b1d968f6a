import { posix } from 'node:path';
import { type Input, textInput } from '@bylaw/core/resource';

/** Helm writes this above each document. */
const HEADER = /^---\r?\n# Source: (.*)\r?\n/gm;

/**
 * What `helm template` wrote, by the templates that it was made from, sorted by their names. Documents that name no template are under the chart.
 * @param displayName the chart as the user knows it
 */
export function inputsByTemplate(output: string, displayName: string): Input[] {
  const texts = new Map<string, string>();
  for (const { source, text } of documentsOf(output)) {
    const file = templateFile(source, displayName);
    texts.set(file, `${texts.get(file) ?? ''}---\n${text}\n`);
  }
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, text]) => textInput(file, text, { rendered: displayName }));
}

/** The files of the chart that are in the output, relative to the folder of the chart. */
export function sourcesIn(output: string): string[] {
  return [...output.matchAll(HEADER)].map(([, source = '']) => source.slice(source.indexOf('/') + 1));
}

function* documentsOf(output: string): Generator<{ source: string; text: string }> {
  const headers = [...output.matchAll(HEADER)];
  const before = output.slice(0, headers[0]?.index ?? output.length);
  if (before.trim() !== '') yield { source: '', text: before };
  for (const [index, header] of headers.entries()) {
    const text = output.slice(header.index + header[0].length, headers[index + 1]?.index ?? output.length);
    yield { source: header[1] ?? '', text };
  }
}

/** `web/templates/a.yaml`, whose first part is the name of the chart, as a path below the folder of the chart. */
function templateFile(source: string, displayName: string): string {
  const [, ...within] = source.split('/');
  if (within.length === 0 || within.some((part) => part === '' || part === '.' || part === '..'))
    return posix.join(displayName, 'Chart.yaml');
  return posix.join(displayName, ...within);
}
