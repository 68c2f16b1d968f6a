/** The reference adapter: hands in proposals and reports results, and acts on what the gate says. */
export { asObject, asObjects, type Members, printableScalar } from './answer-members.js';
export { awaitApproval, readDecision } from './await-approval.js';
export { type DecisionAnswer, isObject } from './decision.js';
export type { Connection } from './exchange.js';
export { type Reported, reportResult } from './report.js';
export type { AdapterIdentity } from './request.js';
export { type FailMode, NO_ANSWER, permission, type Submission, submitProposal } from './submit.js';
