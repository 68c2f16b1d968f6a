/** Requests to an API server: their connection, their pace, and their failures. */
export { type ConnectionLimits, DEFAULT_LIMITS } from './limits.js';
export { type Answer, readAnswer } from './read-answer.js';
export { isPassingAnswer, type Transport, type TransportOptions, transport } from './transport.js';
