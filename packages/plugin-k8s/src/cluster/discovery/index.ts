/** What an API server says about itself. */
export { discover, serverVersion } from './discover.js';
