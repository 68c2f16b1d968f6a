/** The gate at work: its endpoints, and what is behind them while a server runs. */
export { GATE_ENDPOINTS } from './endpoints/endpoints.js';
export type { Gate } from './gate/gate.js';
export { GATE_PROBLEMS, type GateProblemCode } from './http/problems.js';
export { type Edges, SYSTEM, startGate } from './start/start-gate.js';
