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
  '4.0': 'sha256:2107d049f4a7f64a32a7f0a42d6fbd11ae1d1bf17d29628ee12ead1efdf04037',
  '4.1': 'sha256:f6c87772d078343f92c2a18ad1aec5c68245891e94548c73f58d894fc1c0b9ca',
};
