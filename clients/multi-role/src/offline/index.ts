/** The shared base of the command line clients: files, and text for a terminal. */
export { writeNewFile } from './new-file.js';
export { PackError } from './pack.error.js';
export { instant, plain, table } from '../client/plain-text.js';
