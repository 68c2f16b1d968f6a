import { defineEndpoint, type Endpoint } from '@bylaw/core/endpoint';
import type { InstalledPlugin } from '@bylaw/core/plugin';
import { HEALTH } from '@bylaw/core/schemas';

export interface Health {
  status: 'ok';
  version: string;
  rules: number;
  categories: number;
  plugins: { name: string; version: string }[];
}

/** What is installed does not change while the server runs. */
export function healthEndpoint(plugins: readonly InstalledPlugin[], version: string): Endpoint<object, Health> {
  return defineEndpoint<object, Health, unknown>({
    id: 'getHealth',
    method: 'GET',
    path: '/api/v1/health',
    auth: 'open',
    tag: 'service',
    summary: 'Health check.',
    input: { type: 'object', additionalProperties: false, properties: {} },
    output: { description: 'The server is running.', schema: HEALTH },
    run: async (_, __, { catalogue }) => {
      const { rules } = await catalogue();
      return {
        status: 'ok',
        version,
        rules: rules.length,
        categories: new Set(rules.map((rule) => rule.category)).size,
        plugins: plugins.map((installed) => ({ name: installed.plugin.name, version: installed.version })),
      };
    },
  });
}
