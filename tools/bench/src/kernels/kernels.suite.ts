import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { LINEAR_INSTRUCTION_POLICY, REACHABLE_INSTRUCTION_POLICY_ID, scanRuntime } from '@launch/evm';
import { createKeccak } from 'hash-wasm';
import { hexToBytes } from 'viem';
import type { Bench, BenchWorld } from '../bench.types.js';
import type { Measurement } from '../measure/bench-document.schema.js';
import { alternate, compared, timesPerSecond } from '../measure/sampling.js';
import { packOffline } from '../stack/reference-requests.js';
import { indexOfScan, tableScan } from './scan.peers.js';

const ROUNDS = 5;
const SAMPLE_MS = 120;
const SCANNED_BYTES = 1 << 20;

interface KernelInput {
  readonly request: CreateRequest;
  readonly bytes: Uint8Array;
}

interface Kernel {
  readonly name: string;
  readonly peerName: string;
  readonly unit: string;
  /** Units of one run of either side. */
  readonly size: number;
  readonly ours: () => unknown;
  readonly peer: () => unknown;
}

/** The reference's runtimes, one after the other until there is enough to measure. */
function runtimeOf({ request }: KernelInput): Uint8Array {
  const codes = request.graphBundle.components.map((component) =>
    hexToBytes(component.expectedRuntimeCode as `0x${string}`),
  );
  const one = Buffer.concat(codes);
  return Uint8Array.from(Buffer.concat(Array.from({ length: Math.ceil(SCANNED_BYTES / one.length) }, () => one)));
}

const MEGA = 1_000_000;

function scans(input: KernelInput): Kernel[] {
  const runtime = runtimeOf(input);
  const forbidden = LINEAR_INSTRUCTION_POLICY.forbidden.map(({ opcode }) => Number(opcode));
  const shared = {
    unit: 'MB/s',
    size: runtime.length / MEGA,
    ours: () => scanRuntime(REACHABLE_INSTRUCTION_POLICY_ID, runtime),
  };
  return [
    {
      ...shared,
      name: 'kernels.scan.loop',
      peerName: 'a plain loop over a table that only counts',
      peer: () => tableScan(runtime, forbidden),
    },
    {
      ...shared,
      name: 'kernels.scan.index-of',
      peerName: 'Buffer.indexOf of each forbidden byte, wrong about push data',
      peer: () => indexOfScan(runtime, forbidden),
    },
  ];
}

function json({ bytes }: KernelInput): Kernel[] {
  const value = parseStrictJson(bytes);
  const plain = JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  const size = bytes.length / MEGA;
  return [
    {
      name: 'kernels.json.parse',
      unit: 'MB/s',
      size,
      peerName: 'JSON.parse, not strict',
      ours: () => parseStrictJson(bytes),
      peer: () => JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown,
    },
    {
      name: 'kernels.json.canonicalize',
      unit: 'MB/s',
      size,
      peerName: 'npm canonicalize 5.1.0',
      ours: () => canonicalJsonText(value),
      peer: () => canonicalize(plain),
    },
  ];
}

async function hashes({ bytes }: KernelInput): Promise<Kernel[]> {
  const size = bytes.length / MEGA;
  const native = (): string => createHash('sha256').update(bytes).digest('hex');
  const wasm = await createKeccak(256);
  return [
    {
      name: 'kernels.hash.sha256',
      unit: 'MB/s',
      size,
      peerName: 'node:crypto SHA-256',
      ours: () => sha256Digest(bytes),
      peer: native,
    },
    {
      name: 'kernels.hash.keccak',
      unit: 'MB/s',
      size,
      peerName: 'node:crypto SHA-256',
      ours: () => keccak256Hex(bytes),
      peer: native,
    },
    {
      name: 'kernels.hash.keccak-wasm',
      unit: 'MB/s',
      size,
      peerName: 'hash-wasm keccak-256',
      ours: () => keccak256Hex(bytes),
      peer: () => wasm.init().update(bytes).digest('hex'),
    },
  ];
}

async function run(kernels: readonly Kernel[]): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const { name, unit, size, peerName, ours, peer } of kernels) {
    // One short run each before anything counts, for the compiler's sake.
    for (const side of [ours, peer]) timesPerSecond(side, SAMPLE_MS / 2);
    const samples = await alternate(ROUNDS, {
      ours: () => size * timesPerSecond(ours, SAMPLE_MS),
      peer: () => size * timesPerSecond(peer, SAMPLE_MS),
    });
    measured.push(compared({ name, unit, better: 'higher', summary: 'best', peerName }, samples));
  }
  return measured;
}

const onReference = (name: string, make: (input: KernelInput) => Kernel[] | Promise<Kernel[]>): Bench => ({
  name,
  needsStack: false,
  run: async (world: BenchWorld) => {
    const { request, bytes } = await packOffline();
    world.say(`${name} over the reference request of ${bytes.length} bytes`);
    return run(await make({ request, bytes }));
  },
});

export const kernelBenches: readonly Bench[] = [
  onReference('kernels.scan', scans),
  onReference('kernels.json', json),
  onReference('kernels.hash', hashes),
];
