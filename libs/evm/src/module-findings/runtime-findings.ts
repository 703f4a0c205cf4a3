import type { ArtifactTarget, BuildFindingCode } from '@launch/contracts/modules';
import { hexToBytes } from 'viem/utils';
import { REACHABLE_INSTRUCTION_POLICY_ID } from '../opcodes/instruction-policy.js';
import { scanRuntime } from '../opcodes/runtime.scanner.js';

/** The limits of EIP-170 and EIP-3860: bytes of code and of creation code that a chain accepts. */
const MAX_RUNTIME_BYTES = 24_576;
const MAX_CREATION_BYTES = 49_152;

/** A fault in compiled code, in numbers. */
export interface RuntimeFinding {
  readonly code: BuildFindingCode;
  readonly detail: string;
}

/** Judges size and instructions of one compiled contract. An interface or an abstract contract has neither. */
export function runtimeFindings(target: Pick<ArtifactTarget, 'creation' | 'runtime'>): RuntimeFinding[] {
  const runtime = hexToBytes(target.runtime.object);
  const creationBytes = (target.creation.object.length - 2) / 2;
  const findings: RuntimeFinding[] = [];
  const tooLarge = (code: BuildFindingCode, bytes: number, most: number): void => {
    if (bytes > most) findings.push({ code, detail: `${bytes} bytes, at most ${most}` });
  };
  tooLarge('RUNTIME_TOO_LARGE', runtime.length, MAX_RUNTIME_BYTES);
  tooLarge('CREATION_TOO_LARGE', creationBytes, MAX_CREATION_BYTES);
  const scan = scanRuntime(REACHABLE_INSTRUCTION_POLICY_ID, runtime);
  switch (scan.verdict) {
    case 'pass':
      return findings;
    case 'empty':
      return [...findings, { code: 'RUNTIME_EMPTY', detail: 'no runtime: an interface or an abstract contract' }];
    case 'mode-unsupported':
      return [...findings, { code: 'RUNTIME_MODE_UNSUPPORTED', detail: 'the first byte is 0xef' }];
    case 'forbidden': {
      const places = scan.hits.map(({ mnemonic, programCounter }) => `${mnemonic} at ${programCounter}`);
      const more = scan.hitCount > places.length ? `, ${scan.hitCount} in all` : '';
      return [
        ...findings,
        { code: 'OPCODE_FORBIDDEN', detail: `${places.slice(0, 8).join(', ')}${more}`.slice(0, 512) },
      ];
    }
  }
}
