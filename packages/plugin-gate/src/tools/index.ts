/** Tools that `bylaw mcp` offers for the gate. */
export { checkActionTool } from './check-action.js';
