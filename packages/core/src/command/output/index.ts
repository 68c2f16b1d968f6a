/** Where the results of commands go. */
export { useColour } from './colour.js';
export { writeFileWhole } from './file-output.js';
export { outputPlace } from './output-place.js';
export { print, printJson, type Terminal, terminal } from './print.js';
export { type Progress, showProgress } from './progress.js';
export { refuseInput, refuseManifest } from './refuse-input.js';
export { standardOutput } from './standard-output.js';
