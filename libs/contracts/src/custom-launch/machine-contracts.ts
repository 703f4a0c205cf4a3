import type { Sha256Digest } from '../primitives/scalars.schema.js';

/** Profiles of custom launches with a frozen machine contract (docs/reference/custom-launch.md#frozen-machine-contracts). */
export const MACHINE_CONTRACT_VERSIONS = ['4.0', '4.1'] as const;
export type MachineContractVersion = (typeof MACHINE_CONTRACT_VERSIONS)[number];

/** The machine contract of the profile that the deployment is bound to. */
export const MACHINE_CONTRACT_PATH = '/v4/openapi.json';
export const MACHINE_CONTRACTS_PATH = '/v4/machine-contracts';
/** The path below which each machine contract is at its digest: 64 hexadecimal digits without a prefix. */
export const MACHINE_CONTRACT_DIGESTS_PATH = `${MACHINE_CONTRACTS_PATH}/sha256`;

/**
 * The frozen bytes of `machine/<version>.json`. They never change: a route that is added later appears in
 * `/openapi.json` alone.
 */
export const MACHINE_CONTRACT_DIGESTS: Readonly<Record<MachineContractVersion, Sha256Digest>> = {
  '4.0': 'sha256:9b96fc80c1500a93d938daaca5f667a16c3b0aaeb946b80b40a160a70048b180',
  '4.1': 'sha256:d665e04c3595554556d91093fdbc629c5839c3afdd8077be85401831d15dae93',
};
