/** Requests to an API server: their connection, their pace, and their failures. */
export { backOff } from './back-off.js';
export { type ConnectionLimits, DEFAULT_LIMITS } from './limits.js';
export type { Answer } from './read-answer.js';
export { type Transport, type TransportOptions, transport } from './transport.js';
