/** The graph of a run: what the input defines, what refers to what, and the findings on both; as a picture, as JSON and as a flowchart. */
export { GRAPH_FORMATS, type GraphFormat, graphFormatOf } from './graph-format.js';
export { GRAPH_KINDS } from './kinds.js';
export type { Graph, GraphEdge, GraphNode } from './model.js';
export type { GraphOptions } from './read/graph-resources.js';
export { addInputs, type GraphInputs } from './read-inputs.js';
export { RunGraph } from './run-graph.js';
export { GRAPH_SCHEMA } from './schema.js';
export { writeGraph } from './write-graph.js';
