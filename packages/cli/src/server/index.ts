/** The REST server: one `node:http` server with the routes of core and of every installed plugin. */
export { onHangup } from './on-hangup.js';
export { type ServerOptions, type StartedServer, startServer } from './start-server.js';
export type { TlsFiles } from './tls.js';
export { untilSignal } from './until-signal.js';
