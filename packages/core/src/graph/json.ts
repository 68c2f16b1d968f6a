import type { Output } from '../report/index.js';
import type { Graph } from './model.js';

/** How many nodes or edges are written at a time. */
const AT_ONCE = 1_000;

/** Writes the graph as JSON, a node or an edge on a line. It is never folded. Same graph, same bytes. */
export async function writeGraphJson({ version, complete, nodes, edges, rules, legend }: Graph, out: Output): Promise<void> {
  await out.write(`{\n"version": ${version},\n"complete": ${complete},\n"nodes": [`);
  await writeLines(nodes, out);
  await out.write('],\n"edges": [');
  await writeLines(edges, out);
  await out.write(`],\n"rules": ${JSON.stringify(rules)},\n"legend": ${JSON.stringify(legend)}\n}\n`);
}

async function writeLines(items: readonly object[], out: Output): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const lines = items.slice(at, at + AT_ONCE).map((item) => JSON.stringify(item));
    await out.write(`${at === 0 ? '\n' : ',\n'}${lines.join(',\n')}`);
  }
  if (items.length > 0) await out.write('\n');
}
