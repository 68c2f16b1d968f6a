import type { RequestBreach } from '../request-check.js';
import { checkSettings } from '../rule/compiler.js';
import type { Catalogue } from '../rule/index.js';
import type { FilterBody } from './bodies.js';

/** What is wrong with the settings of packs in a request that has passed its schema. */
export function packBreaches({ packs }: Pick<FilterBody, 'packs'>, catalogue: Catalogue): RequestBreach[] {
  if (packs === undefined) return [];
  return checkSettings(catalogue, packs).map(({ path }) => ({
    path: `/packs/${path[0] ?? '*'}`,
    message: 'does not match the settings schema of the pack',
  }));
}
