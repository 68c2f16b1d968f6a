/** `bylaw init`: from answers to the files of a project. */
export { type Answers, settle } from './answers.js';
export { filesOf } from './files.js';
export { writeFiles } from './write-files.js';
