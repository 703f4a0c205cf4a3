import path from 'node:path';
import type { PackReport } from '@launch/contracts/multi-role';
import { runJsonTool } from './run-tool.js';

/** The published reference inputs: the combined Native20 project without and with a purchase, and two inventory projects. */
export const REFERENCE_LAUNCHES = ['zero', 'buy', 'atlas', 'cedar'] as const;
export type ReferenceCase = (typeof REFERENCE_LAUNCHES)[number];

export const describeCase = (referenceCase: ReferenceCase): string =>
  ({
    zero: 'Native20, no purchase',
    buy: 'Native20, with a purchase',
    atlas: 'inventory project atlas, no purchase',
    cedar: 'inventory project cedar, with a purchase',
  })[referenceCase];

export interface PackCaseOptions {
  readonly referenceCase: ReferenceCase;
  /** Folder with the published programs and reference files. */
  readonly bundles: string;
  readonly workDir: string;
  /** A saved capabilities answer. */
  readonly capabilitiesFile: string;
  readonly requestFile: string;
  readonly wallet: string;
  readonly nonce: string;
  /** Unix seconds. */
  readonly validAfter: number;
  readonly deadline: number;
}

/** Packs a reference input for one launch with the published offline programs, as a launcher does. */
export async function packCase(options: PackCaseOptions): Promise<PackReport> {
  return options.referenceCase === 'zero' || options.referenceCase === 'buy'
    ? packNative20(options)
    : packInventory(options);
}

async function packNative20(options: PackCaseOptions): Promise<PackReport> {
  const { bundles, workDir, referenceCase, capabilitiesFile, requestFile, wallet, nonce, validAfter, deadline } =
    options;
  const node = process.execPath;
  const [inert, config] = [path.join(workDir, 'inert.json'), path.join(workDir, 'config.json')];
  const packer = path.join(bundles, 'request-packer.mjs');
  const reference = path.join(bundles, 'request-packer-reference.json');
  await runJsonTool('request-packer', [
    node,
    packer,
    'reference',
    '--input',
    reference,
    '--case',
    referenceCase,
    '--out',
    inert,
  ]);
  await runJsonTool('reference-builder', [
    ...[
      node,
      path.join(bundles, 'reference-builder.mjs'),
      '--input',
      inert,
      '--capabilities',
      capabilitiesFile,
      '--wallet',
      wallet,
    ],
    ...['--nonce', nonce, '--valid-after', String(validAfter), '--deadline', String(deadline), '--out', config],
  ]);
  return runJsonTool<PackReport>('request-packer', [node, packer, 'pack', '--config', config, '--out', requestFile]);
}

async function packInventory(options: PackCaseOptions): Promise<PackReport> {
  const { bundles, referenceCase, capabilitiesFile, requestFile, wallet, nonce, validAfter, deadline } = options;
  return runJsonTool<PackReport>('inventory-builder', [
    ...[process.execPath, path.join(bundles, 'inventory-builder.mjs')],
    ...['--input', path.join(bundles, 'inventory-projects.json'), '--case', referenceCase],
    ...['--capabilities', capabilitiesFile, '--wallet', wallet, '--out', requestFile],
    ...['--nonce', nonce, '--valid-after', String(validAfter), '--deadline', String(deadline)],
  ]);
}
