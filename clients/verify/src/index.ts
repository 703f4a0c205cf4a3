/** The offline verifier as a library: one function per command, from bytes to a verdict. */
export { verifyEvidence } from './commands/evidence.command.js';
export { verifyHandoff } from './commands/handoff.command.js';
export { verifyImage } from './commands/image.command.js';
export { verifyJson } from './commands/json.command.js';
export { verifyMatch } from './commands/match.command.js';
export { POLICY_NAMES, verifyOpcodes } from './commands/opcodes.command.js';
export { verifyRequest } from './commands/request.command.js';
export type { EvidencePins } from './evidence/evidence-pins.types.js';
export type { Check } from './checks.js';
export type { Outcome, Verdict } from './verdict.types.js';
export { VerifyError, type VerifyErrorCode } from './verify.error.js';
