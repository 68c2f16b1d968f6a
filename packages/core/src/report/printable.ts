/** Text of inputs as reports show it; plugins reach it by this name. */
export { printable, shorten } from '../printable.js';
