import { instructionPolicy, type InstructionPolicyDocument } from './instruction-policy.js';

/** A forbidden instruction: its program counter in bytes, its opcode as `0x` and one byte. */
export interface ForbiddenInstruction {
  readonly programCounter: number;
  readonly opcode: string;
  readonly mnemonic: string;
}

/** The scan's hits: the first ones in code order; `hitCount` counts them all. */
export type RuntimeScanResult =
  | { readonly verdict: 'pass' }
  | {
      readonly verdict: 'forbidden';
      readonly code: 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN';
      readonly hits: readonly ForbiddenInstruction[];
      readonly hitCount: number;
    }
  | { readonly verdict: 'mode-unsupported'; readonly code: 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED' }
  | { readonly verdict: 'empty'; readonly code: 'RUNTIME_EMPTY' };

/** The most hits that a result lists; a finding needs an example, not every position. */
export const MAX_LISTED_HITS = 32;

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;

/**
 * Scans a materialized runtime by one policy, in one pass and linear time.
 *
 * Program counters advance over PUSH1 to PUSH32 with their immediates, even if the code ends inside one. Nothing is
 * stripped or exempted, so metadata counts (docs/reference/source-verification.md#instruction-policy).
 *
 * @throws {EvmError} `INSTRUCTION_POLICY_UNKNOWN`: unknown policies fail closed.
 */
export function scanRuntime(policyId: string, runtime: Uint8Array): RuntimeScanResult {
  const policy = compiled(instructionPolicy(policyId));
  const first = runtime[0];
  if (first === undefined) return { verdict: 'empty', code: 'RUNTIME_EMPTY' };
  if (policy.unsupportedFirstByte[first] === 1) {
    return { verdict: 'mode-unsupported', code: 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED' };
  }
  const { effects, everyByte } = policy;
  const hits: ForbiddenInstruction[] = [];
  let hitCount = 0;
  let live = true;
  for (let counter = 0; counter < runtime.length; counter += 1) {
    const opcode = runtime[counter]!;
    if (opcode >= PUSH1 && opcode <= PUSH32) {
      counter += opcode - PUSH1 + 1;
      continue;
    }
    const effect = effects[opcode];
    if (effect === NONE) continue;
    if (effect === OPENS) live = true;
    else if (effect === ENDS) live = everyByte;
    else if (live) {
      hitCount += 1;
      if (hits.length < MAX_LISTED_HITS) {
        const hex = `0x${opcode.toString(16).padStart(2, '0')}`;
        hits.push({ programCounter: counter, opcode: hex, mnemonic: policy.mnemonics.get(opcode)! });
      }
    }
  }
  if (hitCount === 0) return { verdict: 'pass' };
  return { verdict: 'forbidden', code: 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', hits, hitCount };
}

const NONE = 0;
const OPENS = 1;
const ENDS = 2;
const FORBIDDEN = 3;

interface CompiledPolicy {
  readonly effects: Uint8Array;
  readonly everyByte: boolean;
  readonly unsupportedFirstByte: Uint8Array;
  readonly mnemonics: ReadonlyMap<number, string>;
}

const cache = new WeakMap<InstructionPolicyDocument, CompiledPolicy>();

/** Compiles a policy document into tables, once per document. */
function compiled(document: InstructionPolicyDocument): CompiledPolicy {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const effects = new Uint8Array(256);
  if (document.entryPoints.includes('valid-jumpdest')) effects[JUMPDEST] = OPENS;
  for (const { opcode } of document.terminators) effects[Number(opcode)] = ENDS;
  const mnemonics = new Map<number, string>();
  for (const { opcode, mnemonic } of document.forbidden) {
    effects[Number(opcode)] = FORBIDDEN;
    mnemonics.set(Number(opcode), mnemonic);
  }
  const unsupportedFirstByte = new Uint8Array(256);
  for (const prefix of document.unsupportedPrefixes) unsupportedFirstByte[Number(prefix)] = 1;
  const policy = { effects, everyByte: document.scope === 'every-byte', unsupportedFirstByte, mnemonics };
  cache.set(document, policy);
  return policy;
}
