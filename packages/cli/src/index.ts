/** The command line of bylaw. Other programs start it by `main`. */
export { main } from './main.js';
