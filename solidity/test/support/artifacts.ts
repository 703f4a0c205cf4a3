/** Compiled contracts, brought up to date before the first is read. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';

export interface Immutable {
  name: string;
  type: string;
  declaredIn?: string;
  /** Byte offsets in the runtime, 32 bytes each. */
  offsets: number[];
}

export interface Artifact {
  contract: string;
  path: string;
  abi: Abi;
  creationCode: Hex;
  runtimeCode: Hex;
  immutables: Immutable[];
}

const solidity = new URL('../../', import.meta.url);
let fresh = false;
const loaded = new Map<string, Artifact>();

/** Bytes of a file below `solidity/`, after compiling if anything changed. */
export function readBuilt(path: string): string {
  for (const script of fresh ? [] : ['compile.mjs', '../tools/devnet/compile.mjs'])
    execFileSync(process.execPath, [fileURLToPath(new URL(script, solidity))], { stdio: 'pipe' });
  fresh = true;
  return readFileSync(new URL(path, solidity), 'utf8');
}

export function artifact(contract: string): Artifact {
  const known = loaded.get(contract);
  if (known) return known;
  const read = JSON.parse(readBuilt(`artifacts/${contract}.json`)) as Artifact;
  loaded.set(contract, read);
  return read;
}
