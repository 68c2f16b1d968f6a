import type { Tool } from '@bylaw/core/plugin';
import { SCAN_BODY_SCHEMA, type ScanBody, scanServiceOf } from '../scan/service/index.js';

/** The tool `scan_cluster`: the same answer as POST /api/v1/scan. */
export const scanClusterTool: Tool = {
  name: 'scan_cluster',
  description:
    'Scans the Kubernetes cluster that this machine is connected to, and judges its objects by the governance rules. Only reads. Answers findings with rule, severity, resource, message and fix, a score and a summary, and in `cluster` what was scanned and what could not be listed. Narrow a large cluster down by `namespaces`, `kinds`, `categories` or `severities`.',
  inputSchema: { ...SCAN_BODY_SCHEMA },
  handler: async (args, services, signal) => {
    const bytes = await scanServiceOf(services).scan(args as ScanBody, signal); // they have passed the schema
    return JSON.parse(new TextDecoder().decode(bytes)) as object; // a report
  },
};
