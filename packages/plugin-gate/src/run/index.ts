/** `bylaw run`: a command that runs only if the gate allows exactly this command. */
export { bodyOf } from './body.js';
export { type Command, readCommand } from './command.js';
export { approvalState, denialOf, EXITS, grantLine, pendingText, reasonLines, type Stop, undecided } from './decision-text.js';
export { type KeptRuns, keptRunsFolder, openKeptRuns } from './kept-runs.js';
export { noDecisionText, type Request } from './no-decision.js';
export { askPermission, type Permission } from './permission.js';
export { proposalOf, type Stated } from './proposal.js';
export { shellText } from './shell-text.js';
export { catchSignals } from './signals.js';
export { exitCodeOf, runCommand } from './start.js';
