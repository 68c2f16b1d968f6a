import { setImmediate as nextTurn } from 'node:timers/promises';
import { BylawError } from '@bylaw/core/errors';
import { endpointsOf, type InstalledPlugin, type Services, toolsOf } from '@bylaw/core/plugin';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CORE_ENDPOINTS } from '../endpoints/index.js';
import { programOf } from '../program.js';
import { callTool } from './call-tool.js';
import { compactTool, PAGING_INSTRUCTIONS } from './compact-tool.js';
import { answeredBy, endpointTools, type OfferedTool } from './offered-tool.js';
import { StdioTransport } from './stdio-transport.js';

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
 * @throws {BylawError} `plugin-invalid` when two tools have the same name
 */
export async function startMcp({ services, plugins, version, transport }: McpOptions): Promise<StartedMcp> {
  services.threads.prepare(await programOf(services, plugins, version));
  const ofPlugins = await Promise.all(plugins.map((plugin) => pluginTools(plugin, services)));
  const tools = toolTable([...endpointTools(CORE_ENDPOINTS, services), ...ofPlugins.flat()].map(compactTool));
  // The high-level class of the SDK describes arguments with zod only; our schemas are JSON Schemas that the REST server shares.
  const server = new Server({ name: 'bylaw', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.values()].map(describe) }));
  const calls = new Set<Promise<unknown>>();
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const call = callTool(tools, params.name, params.arguments ?? {}, signal, services.log);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  server.onerror = (error) => services.log.warn({ error: error.name }, 'cannot read a message from the client');
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => void services.threads.close().then(() => resolve());
  });
  if (!transport) endWithInput(process.stdin, calls, () => server.close());
  await server.connect(transport ?? new StdioTransport(process.stdin, process.stdout, MAX_MESSAGE_BYTES));
  return { closed, close: () => server.close().then(() => closed) };
}

async function pluginTools(plugin: InstalledPlugin, services: Services): Promise<OfferedTool[]> {
  const [endpoints, tools] = await Promise.all([endpointsOf(plugin), toolsOf(plugin)]);
  return [...endpointTools(endpoints, services), ...tools.map((tool) => answeredBy(tool, services))];
}

/** Room for a body of 16 MiB, whose quotes and line ends JSON escapes. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A client that ends its output (or a file in its place) wants the answers to what it asked before. The SDK does not look for that end. */
function endWithInput(input: NodeJS.ReadStream, calls: ReadonlySet<Promise<unknown>>, close: () => Promise<void>): void {
  const end = async () => {
    await nextTurn();
    while (calls.size > 0) await Promise.allSettled(calls);
    await nextTurn();
    await close();
  };
  input.once('end', () => void end());
}

const INSTRUCTIONS = `bylaw checks infrastructure configuration against deterministic rules. Use \`evaluate\` on manifests before you apply them, \`validate\` to compare a change with what is there, \`get_rule\` to understand a finding, and \`list_rules\` to see what is checked. ${PAGING_INSTRUCTIONS}`;

function toolTable(tools: readonly OfferedTool[]): ReadonlyMap<string, OfferedTool> {
  const table = new Map<string, OfferedTool>();
  for (const tool of tools) {
    if (table.has(tool.name))
      throw new BylawError('plugin-invalid', `Two tools are called ${tool.name}.`, { hint: 'Remove one of the plugins that offer it.' });
    table.set(tool.name, tool);
  }
  return table;
}

function describe({ name, description, inputSchema }: OfferedTool) {
  // Every tool reads and evaluates; none changes anything.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, description, inputSchema, annotations };
}
