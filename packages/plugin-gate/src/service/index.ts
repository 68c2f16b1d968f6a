/** The gate at work: its routes, and what is behind them while a server runs. */
export type { Gate } from './gate.js';
export { GATE_PROBLEMS, type GateProblemCode } from './problems.js';
export { gateRoutes } from './routes.js';
export { type Edges, SYSTEM, startGate } from './start-gate.js';
