/** The tool-call server: the Model Context Protocol over standard input and output. */
export { type McpOptions, type StartedMcp, startMcp } from './start-mcp.js';
