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
  '4.0': 'sha256:227c430ecb798020a1da8b89be653a2d4c31cb213eb33e0dba010ea3294d6953',
  '4.1': 'sha256:d3c48bab56696b423497be57cd0d5959b6138961d293c7ee87368f666cf6ba89',
};
