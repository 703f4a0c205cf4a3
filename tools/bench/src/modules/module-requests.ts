import { createHash, randomUUID } from 'node:crypto';
import {
  MODULE_PACKAGE_SCHEMA,
  MODULE_SUBMISSION_SCHEMA,
  type ModulePackage,
  type ModuleSubmission,
} from '@launch/contracts/modules';
import type { Hex } from '@launch/contracts/primitives';

/** One package of 4 MiB: what the build profile takes. */
const FILES = 8;
const FILE_BYTES = (4 * 1024 * 1024) / FILES;

export interface ModuleRequest {
  readonly bytes: Uint8Array;
  /** Contents of the package's files, as they are kept beside the request. */
  readonly files: readonly Uint8Array[];
  readonly version: string;
}

/** Requests of one author whose every file differs from every other's. */
export function moduleRequests(author: Hex, count: number, fileBytes = FILE_BYTES): ModuleRequest[] {
  return Array.from({ length: count }, () => {
    const version = `1.0.0-${randomUUID()}`;
    const files = Array.from({ length: FILES }, (_, index) => {
      const line = Buffer.from(`// ${version} ${index} of a module's source, line after line\n`);
      return Buffer.alloc(fileBytes, line);
    });
    const packed = files.map((bytes, index) => ({
      path: `src/Part${index}.sol`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      contentBase64: bytes.toString('base64'),
    }));
    const request: ModuleSubmission = {
      schemaVersion: MODULE_SUBMISSION_SCHEMA,
      package: packageOf(author, version, packed),
      files: packed,
      supersedes: null,
    };
    return { bytes: Buffer.from(JSON.stringify(request)), files, version };
  });
}

const packageOf = (
  author: Hex,
  version: string,
  files: readonly { readonly path: string; readonly sha256: string }[],
): ModulePackage => ({
  schemaVersion: MODULE_PACKAGE_SCHEMA,
  name: 'Bench module',
  version,
  family: 'bench-module',
  author,
  rewardWallet: author,
  source: { files: files.map(({ path, sha256 }) => ({ path, sha256 })) },
  configuration: { encoding: 'abi', maxEncodedBytes: 64, fields: [], constraints: [] },
  capabilities: {
    runtime: { profile: 'service.native-solidity@1', evmVersion: 'cancun' },
    hookPermissions: [],
    contracts: [{ name: 'Part0', role: 'module' }],
    dependencies: [],
    resources: { maxGasPerCallback: 100_000, storageSlots: 2 },
    funding: { native: 'none' },
    failureBehaviour: 'revert',
  },
  management: { reads: [], actions: [], roles: [], instructions: 'None.' },
});
