/** What callers can ask the command line's own server: each endpoint is one object. */
import type { AnyEndpoint } from '@bylaw/core/endpoint';
import { comparisonSchemaOf, type InstalledPlugin } from '@bylaw/core/plugin';
import { SCORE_ENDPOINTS } from '../scores/index.js';
import { getCompliance } from './compliance.js';
import { evaluate } from './evaluate.js';
import { getRule, listRules } from './rules.js';
import { validate } from './validate.js';

export { healthEndpoint } from './health.js';
export { evaluate, getCompliance, getRule, listRules, validate };

/** In the order of their description, without what plugins add to them. */
export const CORE_ENDPOINTS: readonly AnyEndpoint[] = [listRules, getRule, getCompliance, evaluate, validate, ...SCORE_ENDPOINTS];

/** The same, with what the plugins add to the answers. */
export async function endpointsWith(plugins: readonly InstalledPlugin[]): Promise<readonly AnyEndpoint[]> {
  const schema = await comparisonSchemaOf(plugins);
  const ours: AnyEndpoint = { ...validate, output: { ...validate.output, schema } };
  return CORE_ENDPOINTS.map((endpoint) => (endpoint.id === validate.id ? ours : endpoint));
}
