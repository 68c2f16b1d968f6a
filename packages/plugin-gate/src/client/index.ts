/** The reference adapter: hands in proposals and reports results, and acts on what the gate says. */
export { type FailMode, permission } from './act.js';
export { awaitApproval } from './await-approval.js';
export type { DecisionAnswer } from './decision.js';
export type { Connection } from './exchange.js';
export { type Reported, reportResult } from './report.js';
export type { AdapterIdentity } from './request.js';
export { type Submission, submitProposal } from './submit.js';
