/** What an API server says about itself. */
export { discover } from './discover.js';
export { serverVersion } from './server-version.js';
