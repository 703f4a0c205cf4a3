import type { ModulePackage } from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A fee that its owner sets, and never above a tenth.
contract OwnedFee {
    uint16 public constant MAX_FEE_BPS = 1_000;
    address public immutable owner;
    uint16 public feeBps;

    event FeeChanged(uint16 feeBps);

    error NotOwner(address caller);
    error FeeTooHigh(uint16 feeBps);

    constructor(address owner_, uint16 feeBps_) {
        owner = owner_;
        change(feeBps_);
    }

    function setFeeBps(uint16 feeBps_) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        change(feeBps_);
    }

    function change(uint16 feeBps_) private {
        if (feeBps_ > MAX_FEE_BPS) revert FeeTooHigh(feeBps_);
        feeBps = feeBps_;
        emit FeeChanged(feeBps_);
    }
}
`;

/** The packaged files of the example, by path. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  'README.md': '# Owned fee\n\nA fee in basis points that its owner sets, at most 1,000.\n',
  'src/OwnedFee.sol': SOURCE,
};
/** The contract of the example that is built. */
export const EXAMPLE_TARGET = { path: 'src/OwnedFee.sol', contract: 'OwnedFee' };

const FEE = {
  key: 'feeBps',
  label: 'Fee',
  type: 'bps',
  unit: 'bps',
  required: true,
  immutable: false,
  min: '0',
  max: '1000',
} as const;

/**
 * The descriptor of the example, as its author writes `module.json`.
 * @param family a name that this author has not used: versions of a family are submitted once.
 */
export const examplePackage = (author: string, family: string): ModulePackage => ({
  schemaVersion: 'service.modules.package.v0.1',
  name: 'Owned fee',
  version: '1.0.0',
  family,
  author,
  rewardWallet: author,
  source: {
    files: Object.entries(EXAMPLE_FILES).map(([path, text]) => ({ path, sha256: sha256Digest(Buffer.from(text)) })),
  },
  configuration: {
    encoding: 'abi',
    maxEncodedBytes: 64,
    fields: [
      { key: 'owner', label: 'Owner', type: 'address', unit: 'none', required: true, immutable: true },
      { ...FEE, default: '100' },
    ],
    constraints: [],
  },
  capabilities: {
    runtime: { profile: 'service.native-solidity@1', evmVersion: 'cancun' },
    hookPermissions: [],
    contracts: [{ name: EXAMPLE_TARGET.contract, role: 'module' }],
    dependencies: [],
    resources: { maxGasPerCallback: 100_000, storageSlots: 1 },
    funding: { native: 'none' },
    failureBehaviour: 'revert',
  },
  management: {
    reads: [{ name: 'feeBps', abi: 'function feeBps() view returns (uint16)', returnsUnit: 'bps' }],
    actions: [
      {
        name: 'setFeeBps',
        abi: 'function setFeeBps(uint16 feeBps)',
        inputs: [FEE],
        authorizedRoles: ['owner'],
        payable: false,
      },
    ],
    roles: [{ role: 'owner', holder: 'creator' }],
    instructions: 'Choose a fee of at most 1,000 basis points.',
  },
});
