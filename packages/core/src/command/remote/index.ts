/** Having a server do the work of a command. */
export { askEndpoint } from './ask-endpoint.js';
export { filtersBody, inputBody } from './bodies.js';
export { type QueryValue, type RemoteServer, remoteCall } from './call.js';
export { callEndpoint } from './call-endpoint.js';
export { selectedRules } from './selected-rules.js';
export { remoteServerOf } from './server-of.js';
