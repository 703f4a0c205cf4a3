/**
 * Writes the machine contract of a new profile: `node dist/composition/write-machine-contract.cli.js 4.1`.
 * An existing file is frozen and never overwritten (docs/adr/0102).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MACHINE_CONTRACT_VERSIONS } from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { machineContract } from '../products/discovery/domain/machine-contract.document.js';
import { MACHINE_CONTRACTS_DIR } from '../core/gates/machine-contracts.js';

const version = MACHINE_CONTRACT_VERSIONS.find((known) => known === process.argv[2]);
if (version === undefined) throw new TypeError(`which of ${MACHINE_CONTRACT_VERSIONS.join(', ')}?`);
const bytes = canonicalizeJson(machineContract(version));
mkdirSync(MACHINE_CONTRACTS_DIR, { recursive: true });
writeFileSync(path.join(MACHINE_CONTRACTS_DIR, `${version}.json`), bytes, { flag: 'wx' });
process.stdout.write(`${sha256Digest(bytes)}\n`);
