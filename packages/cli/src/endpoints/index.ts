/** What callers can ask the command line's own server: each endpoint is one object. */
import type { AnyEndpoint } from '@bylaw/core/endpoint';
import { SCORE_ENDPOINTS } from '../scores/index.js';
import { getCompliance } from './compliance.js';
import { evaluate } from './evaluate.js';
import { getRule, listRules } from './rules.js';
import { validate } from './validate.js';

export { healthEndpoint } from './health.js';
export { evaluate, getCompliance, getRule, listRules, validate };

/** In the order of their description. */
export const CORE_ENDPOINTS: readonly AnyEndpoint[] = [listRules, getRule, getCompliance, evaluate, validate, ...SCORE_ENDPOINTS];
