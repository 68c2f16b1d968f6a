import type { InstalledPlugin, Services, Tool } from '@bylaw/core/plugin';
import { WorkerPool } from '@bylaw/core/service';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { callTool } from './call-tool.js';
import { coreTools } from './core-tools.js';
import { answeredBy, type OfferedTool } from './offered-tool.js';

export interface McpOptions {
  services: Services;
  plugins: readonly InstalledPlugin[];
  /** Version of the program. */
  version: string;
  /** Absent: standard input and output, which then carry nothing but the protocol. */
  transport?: Transport;
}

export interface StartedMcp {
  /** Resolves when the client has gone. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the tool-call server (Model Context Protocol): the tools of core, and those of the given plugins.
 * @throws {Error} when two tools have the same name
 */
export async function startMcp({ services, plugins, version, transport }: McpOptions): Promise<StartedMcp> {
  const pool = new WorkerPool({
    size: 1,
    maxWaiting: 16,
    setup: { origin: services.catalogue.origin, defaults: { packSettings: services.config.packs } },
  });
  const tools = toolTable([
    ...coreTools(services, pool),
    ...plugins.flatMap(({ plugin }) => plugin.tools ?? []).map((tool) => answeredBy(tool, services)),
  ]);
  // The high-level class of the SDK describes arguments with zod only; our schemas are JSON Schemas that the REST server shares.
  const server = new Server({ name: 'bylaw', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.values()].map(describe) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool(tools, params.name, params.arguments ?? {}, signal, services.log),
  );
  server.onerror = (error) => services.log.warn({ error: error.name }, 'a message of the client could not be read');
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => void pool.close().then(resolve);
  });
  await server.connect(transport ?? new StdioServerTransport());
  return { closed, close: () => server.close().then(() => closed) };
}

const INSTRUCTIONS =
  'bylaw judges infrastructure configuration by deterministic rules. Use `evaluate` on manifests before they are applied, `get_rule` to understand a finding, `list_rules` to see what is checked.';

function toolTable(tools: readonly OfferedTool[]): ReadonlyMap<string, OfferedTool> {
  const table = new Map<string, OfferedTool>();
  for (const tool of tools) {
    if (table.has(tool.name)) throw new Error(`Two tools are called ${tool.name}.`);
    table.set(tool.name, tool);
  }
  return table;
}

function describe({ name, description, inputSchema, outputSchema }: Tool | OfferedTool) {
  // Every tool reads and judges; none changes anything.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
}
