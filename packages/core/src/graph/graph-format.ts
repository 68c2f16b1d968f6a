import { BylawError } from '../errors.js';

/** The formats of a graph, by the ending of the file. */
export const GRAPH_FORMATS = ['svg', 'json', 'mmd'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/**
 * The format of a graph in this file.
 * @throws {BylawError} `graph-format-unknown`
 */
export function graphFormatOf(file: string): GraphFormat {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const format = GRAPH_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new BylawError(
    'graph-format-unknown',
    `Cannot write a graph to ${JSON.stringify(file)}: the file name must end with .svg, .json or .mmd.`,
    {
      hint: 'For example --graph graph.svg for a picture, graph.json for programs, or graph.mmd for Mermaid.',
    },
  );
}
