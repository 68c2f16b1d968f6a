import { BylawError } from '../../errors.js';
import type { EvaluationEvent } from '../../evaluate/index.js';
import { type Graph, type GraphOptions, graphFormatOf, RunGraph, writeGraph } from '../../graph/index.js';
import { plural } from '../../plural.js';
import { outputPlace, writeFileWhole } from '../output/index.js';

/** The file for the graph of a run. */
export interface GraphFile {
  /**
   * The events of a run, which adds its resources to the graph before the first of them. Their findings follow.
   * @throws whatever the run throws
   */
  watch(options: GraphOptions, run: (graph: RunGraph) => AsyncIterable<EvaluationEvent>): AsyncGenerator<EvaluationEvent, void, void>;
  /**
   * Writes the graph of the events that were watched to their end, and says so on standard error. The file then holds all of it; if it cannot be written, it
   * is as it was before.
   * @throws {BylawError} `output-unwritable`
   */
  write(): Promise<void>;
}

/**
 * Checks where a graph is to be written, before anything is read.
 * @param others files that the command writes, too
 * @throws {BylawError} `graph-format-unknown`; `usage` for a file that another flag names; `output-unwritable`
 */
export async function openGraphFile(file: string, others: readonly (string | undefined)[]): Promise<GraphFile> {
  const format = graphFormatOf(file);
  const place = await outputPlace(file);
  for (const other of others)
    if (other !== undefined && (await outputPlace(other)) === place)
      throw new BylawError('usage', `--graph and another flag name the same file, ${file}.`, {
        hint: 'Choose a different file for the graph.',
      });
  let finished: Graph | undefined;
  return {
    async *watch(options, run) {
      const graph = new RunGraph(options);
      for await (const event of run(graph)) {
        if (event.type === 'end') finished = graph.finish(event);
        else for (const finding of event.batch.findings()) graph.take(finding);
        yield event;
      }
    },
    async write() {
      const graph = finished;
      if (!graph) throw new BylawError('internal', 'The evaluation stopped before its graph was complete.');
      await writeFileWhole(file, (out) => writeGraph(graph, format, out));
      process.stderr.write(`wrote ${file}: ${plural(graph.nodes.length, 'node')}, ${plural(graph.edges.length, 'edge')}\n`);
    },
  };
}
