import type { Output } from '../report/index.js';
import { graphMermaid } from './draw/mermaid.js';
import { graphSvg } from './draw/svg.js';
import type { GraphFormat } from './graph-format.js';
import { writeGraphJson } from './json.js';
import type { Graph } from './model.js';

/** Writes a graph in a format. Same graph, same bytes. */
export async function writeGraph(graph: Graph, format: GraphFormat, out: Output): Promise<void> {
  switch (format) {
    case 'json':
      return writeGraphJson(graph, out);
    case 'svg':
      return out.write(graphSvg(graph));
    case 'mmd':
      return out.write(graphMermaid(graph));
  }
}
