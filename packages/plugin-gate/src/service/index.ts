/** The gate at work: its endpoints, and what is behind them while a server runs. */
export { GATE_ENDPOINTS } from './endpoints.js';
export type { Gate } from './gate.js';
export { GATE_PROBLEMS, type GateProblemCode } from './problems.js';
export { type Edges, SYSTEM, startGate } from './start-gate.js';
