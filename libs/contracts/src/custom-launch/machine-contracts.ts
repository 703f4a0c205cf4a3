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
  '4.0': 'sha256:43d9dc09670d9240b9f798a4971fa3d2189d45d0ae3a5a248bdc37b3a8a006f4',
  '4.1': 'sha256:8cd36fd15d024ffc06b6f11125eec35f16e77c68a64403de956ffbea4c2a9e61',
};
