import { fixedClock } from '@bylaw/core/clock';
import { BylawError } from '@bylaw/core/errors';
import { createEngine } from '@bylaw/core/evaluate';
import { type CatalogueOrigin, loadCatalogue } from '@bylaw/core/rule';
import { filtersOf, type RequestDefaults, reportText } from '@bylaw/core/service';
import { connect } from '../../cluster/index.js';
import { type ScanRequest, scan } from '../scan.js';
import type { ScanBody } from './scan-body.js';

/** All that a thread needs to do the scan of one request. */
export interface ScanJob {
  origin: CatalogueOrigin;
  defaults: RequestDefaults;
  request: ScanBody;
  /** The day of the request, `YYYY-MM-DD` (UTC). */
  today: string;
}

/** The report as UTF-8, or an error that is not a defect. */
export type ScanOutcome = { body: Uint8Array<ArrayBuffer> } | { error: { code: string; message: string; hint?: string } };

export async function runScan({ origin, defaults, request, today }: ScanJob): Promise<ScanOutcome> {
  try {
    const engine = createEngine({ catalogue: await loadCatalogue(origin), clock: fixedClock(`${today}T00:00:00Z`) });
    const cluster = await connect({ env: process.env, ...(request.context !== undefined && { context: request.context }) });
    try {
      return { body: new TextEncoder().encode(await reportText(scan(requestOf(request, defaults), { cluster, engine }))) };
    } finally {
      await cluster.close();
    }
  } catch (error) {
    if (!(error instanceof BylawError) || error.code === 'internal') throw error;
    const { code, message, hint } = error;
    return { error: { code, message, ...(hint !== undefined && { hint }) } };
  }
}

function requestOf(body: ScanBody, defaults: RequestDefaults): ScanRequest {
  const { namespace: _, ...judging } = filtersOf(body, defaults);
  const { namespaces, kinds } = body;
  return { ...judging, ...(namespaces && { namespaces }), ...(kinds && { kinds }), includePassed: body.include_passed ?? false };
}
