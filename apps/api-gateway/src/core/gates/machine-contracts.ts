import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MACHINE_CONTRACT_VERSIONS, type MachineContractVersion } from '@launch/contracts/custom-launch';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** Names the frozen machine contracts. */
export const MACHINE_CONTRACTS = Symbol('MachineContracts');

/** The folder of the frozen files, the same in the repository and in the service's image. */
export const MACHINE_CONTRACTS_DIR = path.resolve(import.meta.dirname, '../../../../../libs/contracts/machine');

export interface MachineContract {
  readonly bytes: Uint8Array;
  readonly contentSha256: Sha256Digest;
}

/** The frozen machine contracts by their version. */
export type MachineContracts = Readonly<Record<MachineContractVersion, MachineContract>>;

/** Reads the frozen files as they are. @throws Error when one is absent: the build is incomplete. */
export function readMachineContracts(folder: string = MACHINE_CONTRACTS_DIR): MachineContracts {
  const read = (version: MachineContractVersion): MachineContract => {
    const bytes = readFileSync(path.join(folder, `${version}.json`));
    return { bytes, contentSha256: sha256Digest(bytes) };
  };
  return Object.fromEntries(MACHINE_CONTRACT_VERSIONS.map((version) => [version, read(version)])) as Record<
    MachineContractVersion,
    MachineContract
  >;
}
