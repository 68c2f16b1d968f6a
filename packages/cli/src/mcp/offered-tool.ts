import type { AnyEndpoint } from '@bylaw/core/endpoint';
import { type CallableTool, endpointTool } from '@bylaw/core/endpoint/host';
import { requestCheck } from '@bylaw/core/http';
import type { Services, Tool } from '@bylaw/core/plugin';

export type OfferedTool = CallableTool;

/** A plugin's tool. */
export function answeredBy(tool: Tool, services: Services): OfferedTool {
  return {
    ...tool,
    check: requestCheck(tool.inputSchema),
    answer: async (args, signal) => `${JSON.stringify(await tool.handler(args, services, signal))}\n`,
  };
}

/** The tools of those endpoints that have one. */
export function endpointTools(endpoints: readonly AnyEndpoint[], services: Services): OfferedTool[] {
  return endpoints.flatMap((endpoint) => ('respond' in endpoint ? [] : (endpointTool(endpoint, services) ?? [])));
}
