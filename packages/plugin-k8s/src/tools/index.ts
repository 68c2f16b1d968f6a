/** The tools that this plugin offers. */
export { scanClusterTool } from './scan-cluster.js';
