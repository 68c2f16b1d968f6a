import type { Tool } from '@bylaw/core/plugin';
import { SCAN_BODY_SCHEMA, type ScanBody, scanServiceOf } from '../scan/service/index.js';

/** The tool `scan_cluster`: the same answer as POST /api/v1/scan. */
export const scanClusterTool: Tool = {
  name: 'scan_cluster',
  description:
    'Scans the Kubernetes cluster that this machine is connected to, and evaluates its objects against the governance rules. Read-only. Returns findings with rule, severity, resource, message and fix, a score and a summary, and in `cluster` what was scanned and what could not be listed. For a large cluster, restrict the scan with `namespaces`, `kinds`, `categories` or `severities`.',
  inputSchema: { ...SCAN_BODY_SCHEMA },
  handler: async (args, services, signal) => {
    const bytes = await scanServiceOf(services).scan(args as ScanBody, signal); // they have passed the schema
    return JSON.parse(new TextDecoder().decode(bytes)) as object; // a report
  },
};
