/** What callers can ask over HTTP and as tools. */
export { finopsRoutes } from './routes.js';
export { finopsTools } from './tools.js';
