/** The objects of an API server: as they are, and as they change. */
export { listObjects } from './list.js';
export { watchObjects } from './watch.js';
