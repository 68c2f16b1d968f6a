/** What commands do that write the graph of a run beside their report. Loaded only if one is requested. */
export { type GraphFile, openGraphFile } from './open-graph.js';
