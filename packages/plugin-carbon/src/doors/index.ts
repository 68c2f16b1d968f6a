/** What callers can ask over HTTP and as tools. */
export { carbonRoutes } from './routes.js';
export { carbonTools } from './tools.js';
