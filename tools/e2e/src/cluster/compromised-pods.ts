import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { runProgram } from '../deployed/run-program.js';
import type { Kubectl } from './kubectl.js';

const PROGRAM = path.resolve(import.meta.dirname, '../../../../deploy/cluster/environment/intruder.mjs');

const TEMPORAL = 'temporal-frontend.temporal.svc:7233';
const POSTGRES = 'postgres.postgres.svc:5432';
const BLOBS = 'seaweedfs.blobs.svc:8333';
const OBSERVERS = ['10.98.0.1:8545', '10.98.0.2:8545', '10.98.0.3:8545', '10.98.0.4:8545'];
/** The addresses of the cluster that answer on a port. */
const ADDRESSES = [
  TEMPORAL,
  POSTGRES,
  BLOBS,
  ...OBSERVERS,
  'custody-postgres.custody-postgres.svc:5432',
  'temporal-ui.temporal.svc:8080',
  'launch-api-gateway:8080',
  'launch-site:3000',
  'launch-review-console:8081',
  // The API server, and the kubelet of the node.
  'kubernetes.default.svc:443',
  '10.245.0.1:10250',
];
const DATABASES = ['gateway', 'admission', 'finality', 'module_review', 'indexer'].map((name) => `launch_${name}`);

/** The reach of code in a pod. */
export interface Reach {
  /** Addresses that accept a connection. */
  readonly reached: readonly string[];
  /** Calls that Temporal carries out, by namespace. */
  readonly temporal: Readonly<Record<string, readonly string[]>>;
  /** Requests that the blob store carries out, by prefix. */
  readonly blobs: Readonly<Record<string, readonly string[]>>;
  readonly databases: readonly string[];
}

const ALL = ['list', 'start', 'terminate', 'describe'];
const WRITES = ['list', 'write', 'remove'];

/** The reach of a compromised pod of each service, as SECURITY.md has it. */
export const COMPROMISED: Readonly<Record<string, Reach>> = {
  'module-builder': {
    reached: [TEMPORAL, BLOBS],
    temporal: { launches: [], custody: [], modules: ALL },
    blobs: { launch: ['list'], builds: WRITES },
    databases: [],
  },
  'api-gateway': {
    reached: [TEMPORAL, POSTGRES, BLOBS, ...OBSERVERS],
    temporal: { launches: ALL, custody: ['list', 'describe'], modules: ALL },
    blobs: { launch: WRITES },
    databases: ['launch_gateway'],
  },
  indexer: {
    reached: [TEMPORAL, POSTGRES, BLOBS, ...OBSERVERS],
    temporal: { launches: ALL, custody: [], modules: [] },
    blobs: { launch: WRITES },
    databases: ['launch_indexer'],
  },
};

/** Tries the reach of code in a pod of a service. */
export async function reachOf(kubectl: Kubectl, component: string): Promise<Reach> {
  const selected = ['-l', `app.kubernetes.io/component=${component}`, '--field-selector=status.phase=Running'];
  const [pod = ''] = (await kubectl.run('-n', 'launch', 'get', 'pods', ...selected, '-o', 'name')).split('\n');
  const tried = JSON.stringify({ addresses: ADDRESSES, namespaces: Object.values(NAMESPACES), databases: DATABASES });
  const command = ['-n', 'launch', 'exec', '-i', pod, '--', '/usr/local/bin/node', '--input-type=module', '-', tried];
  const input = await readFile(PROGRAM, 'utf8');
  return JSON.parse(await runProgram([...kubectl.command, ...command], { cwd: process.cwd(), input })) as Reach;
}

/** @throws Error if code in a pod can do more or less than `COMPROMISED` says. */
export async function checkReach(kubectl: Kubectl, say: (text: string) => void): Promise<void> {
  for (const [component, expected] of Object.entries(COMPROMISED)) {
    const found = await reachOf(kubectl, component);
    say(`${component}: ${JSON.stringify(found)}`);
    if (!isDeepStrictEqual(found, expected))
      throw new Error(`${component} was expected to: ${JSON.stringify(expected)}`);
  }
}
