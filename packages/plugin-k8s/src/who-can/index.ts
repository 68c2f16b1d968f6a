/** Who can do what: roles and bindings of manifests or of a cluster, and the answer in the form of the command. */
export { type Question, type WhoCan, whoCanAnswer } from './answer.js';
export { type AskedResource, askedResource } from './asked-resource.js';
export { type AccessInput, accessOfCluster, accessOfInputs } from './read-access.js';
export { whoCanText } from './text.js';
