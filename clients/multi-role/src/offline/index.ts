/** The shared base of the command line clients: arguments, files, and text for a terminal. */
export { parseOptions, type CommandShape } from '@launch/client-core/command';
export { writeNewFile } from './new-file.js';
export { PackError } from './pack.error.js';
export { instant, plain, table } from '../client/plain-text.js';
