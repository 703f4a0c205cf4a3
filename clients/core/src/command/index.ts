/** The base of every command line client: its declaration, arguments, files and output. */
export {
  commandOf,
  findingText,
  helpFor,
  readCommandLine,
  refusalLine,
  type ArgumentFinding,
  type CommandLine,
  type ParsedLists,
  type ParsedOptions,
  type RefusedLine,
} from './command-line.js';
export {
  invocationOf,
  JSON_OPTION,
  RETRY_OPTION,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from './declaration.js';
export { usageOf } from './help.js';
export { RELEASE } from './release.js';
export { errorCode, FileFault, readBoundedFile, writeNewFile } from './files.js';
export { shellWord } from './shell-word.js';
export { isMisencoded } from './argument-encoding.js';
export { traceHeaders } from './trace-context.js';
export { walletPageOf } from './wallet-page.js';
export { endProgram, writeStderr, type Printed } from './output.js';
