/** What servers make of endpoints: routes and tools. */
export { endpointRoute } from './endpoint-route.js';
export { AnswerTooLargeError, type CallableTool, endpointTool, MAX_TOOL_ANSWER_BYTES } from './endpoint-tool.js';
