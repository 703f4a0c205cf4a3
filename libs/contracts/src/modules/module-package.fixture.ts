import { sha256Digest } from '../primitives/digest.js';
import type { ModulePackage, ModuleSubmission } from './package.schema.js';

/** A small module: two files, two configured values, one read and one action. */
export const MODULE_FILES: Readonly<Record<string, string>> = {
  'src/FeeModule.sol': 'contract FeeModule {}\n',
  'README.md': '# Fee module\n',
};

export const modulePackage = (
  files: Readonly<Record<string, string>> = MODULE_FILES,
  more: Partial<ModulePackage> = {},
): ModulePackage => ({
  schemaVersion: 'service.modules.package.v0.1',
  name: 'Fee module',
  version: '1.0.0',
  family: 'fee-module',
  author: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  rewardWallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  source: {
    files: Object.entries(files).map(([path, text]) => ({ path, sha256: digestOf(text) })),
    repository: 'https://code.example/fee-module',
    revision: 'v1.0.0',
  },
  configuration: {
    encoding: 'abi',
    maxEncodedBytes: 64,
    fields: [
      {
        key: 'feeBps',
        label: 'Fee',
        type: 'bps',
        unit: 'bps',
        required: true,
        immutable: false,
        default: '100',
        min: '0',
        max: '1000',
        step: '100',
      },
      { key: 'enabled', label: 'Enabled', type: 'bool', unit: 'none', required: true, immutable: true, default: true },
    ],
    constraints: [{ kind: 'requires', keys: ['feeBps', 'enabled'], value: null }],
  },
  capabilities: {
    runtime: { profile: 'service.native-solidity@1', evmVersion: 'cancun' },
    hookPermissions: ['beforeSwap'],
    contracts: [{ name: 'FeeModule', role: 'module' }],
    dependencies: [],
    resources: { maxGasPerCallback: 100_000, storageSlots: 2 },
    funding: { native: 'none' },
    failureBehaviour: 'revert',
  },
  management: {
    reads: [{ name: 'feeBps', abi: 'function feeBps() view returns (uint16)', returnsUnit: 'bps' }],
    actions: [
      {
        name: 'setFeeBps',
        abi: 'function setFeeBps(uint16 feeBps)',
        inputs: [{ key: 'feeBps', label: 'Fee', type: 'bps', unit: 'bps', required: true, immutable: false }],
        authorizedRoles: ['owner'],
        payable: false,
      },
    ],
    roles: [{ role: 'owner', holder: 'creator' }],
    instructions: 'Choose a fee.',
  },
  ...more,
});

/** Returns the request that packs a descriptor with these files. */
export const moduleSubmission = (
  files: Readonly<Record<string, string>> = MODULE_FILES,
  more: Partial<ModulePackage> = {},
): ModuleSubmission => ({
  schemaVersion: 'service.modules.submission.v0.1',
  package: modulePackage(files, more),
  files: Object.entries(files).map(([path, text]) => ({
    path,
    sha256: digestOf(text),
    contentBase64: Buffer.from(text).toString('base64'),
  })),
  supersedes: null,
});

const digestOf = (text: string): string => sha256Digest(new TextEncoder().encode(text));
