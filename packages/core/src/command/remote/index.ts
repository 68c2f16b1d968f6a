/** Having a server do the work of a command. */
export { askEndpoint } from './ask-endpoint.js';
export { filtersBody, inputBody } from './bodies.js';
export { type QueryValue, remoteCall } from './call.js';
export { callEndpoint } from './call-endpoint.js';
export { selectedRules } from './selected-rules.js';
export { type RemoteServer, remoteServerOf } from './server-of.js';
