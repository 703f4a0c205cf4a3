/** Both instruction policies, written down small: an oracle for these tests, not the server's scanner. */
import { hexToBytes } from 'viem';
import type { Hex } from 'viem';

export interface Finding {
  programCounter: number;
  opcode: string;
}

const names = new Map([
  [0xf0, 'CREATE'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xf5, 'CREATE2'],
  [0xff, 'SELFDESTRUCT'],
]);
/** STOP, JUMP, RETURN, REVERT, INVALID. */
const terminators = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe]);
const jumpDestination = 0x5b;

/** Instructions with push data skipped, and whether flow can reach them from the start or a jump destination. */
function* instructions(code: Uint8Array) {
  let reachable = true;
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!;
    if (opcode === jumpDestination) reachable = true;
    yield { at, opcode, reachable };
    if (terminators.has(opcode)) reachable = false;
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
  }
}

const findings = (runtime: Hex, isForbidden: (opcode: number, reachable: boolean) => boolean): Finding[] =>
  [...instructions(hexToBytes(runtime))]
    .filter(({ opcode, reachable }) => isForbidden(opcode, reachable))
    .map(({ at, opcode }) => ({ programCounter: at, opcode: names.get(opcode)! }));

/** Policy v2: three opcodes anywhere outside push data, reachable or not. */
export const fullScan = (runtime: Hex) => findings(runtime, (opcode) => [0xf2, 0xf4, 0xff].includes(opcode));

/** Policy reachable.v1: five opcodes where flow can come. */
export const reachableScan = (runtime: Hex) => findings(runtime, (opcode, reachable) => reachable && names.has(opcode));
