/** The base of every command line client: arguments, files and output. */
export {
  parseArguments,
  parseOptions,
  type CommandShape,
  type ParsedArguments,
  type ArgumentFinding,
} from './arguments.js';
export { errorCode, FileFault, readBoundedFile, writeNewFile } from './files.js';
export { isMisencoded } from './argument-encoding.js';
export { endProgram, writeStderr, type Printed } from './output.js';
