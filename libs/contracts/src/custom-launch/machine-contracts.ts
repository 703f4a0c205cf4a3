import type { Sha256Digest } from '../primitives/scalars.schema.js';

/** Profiles of V4 launches whose routes stand in a frozen machine contract (spec 1, Versioning). */
export const MACHINE_CONTRACT_VERSIONS = ['4.0', '4.1'] as const;
export type MachineContractVersion = (typeof MACHINE_CONTRACT_VERSIONS)[number];

/** The bound profile's machine contract. */
export const MACHINE_CONTRACT_PATH = '/v4/openapi.json';
export const MACHINE_CONTRACTS_PATH = '/v4/machine-contracts';

/** The frozen bytes of `machine/<version>.json`. They are written once: an additive route is in `/openapi.json` alone. */
export const MACHINE_CONTRACT_DIGESTS: Readonly<Record<MachineContractVersion, Sha256Digest>> = {
  '4.0': 'sha256:f409f9f5b2dcda08dce94d50572636b7b4a029d445e695a49827fdd3e82e922f',
  '4.1': 'sha256:4fb73bfc44929a62966ca7d23ff1b871b7a5f873ae68e42559bdf9968c1256f6',
};
