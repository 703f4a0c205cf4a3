import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  createRequestSchema,
  type CreateRequest,
  type LaunchContext,
  type ReferenceCase,
} from '@launch/contracts/multi-role';
import type { Hex } from '@launch/evm';
import { buildPackConfig, inertConfigOf, packRequest, type LaunchInputs } from '@launch/multi-role';

const REFERENCE = new URL('../../../clients/multi-role/bundles/request-packer-reference.json', import.meta.url);

export interface ReferenceChoices {
  readonly context: LaunchContext;
  readonly wallet: Hex;
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly validAfter: bigint;
  readonly deadline: bigint;
  readonly referenceCase?: ReferenceCase;
  readonly project?: Partial<Pick<LaunchInputs, 'name' | 'symbol'>>;
}

/** Packs a reference request in this process, with the functions of the published programs. */
export async function packReference(choices: ReferenceChoices): Promise<{ bytes: Uint8Array; request: CreateRequest }> {
  const inert = inertConfigOf(await readFile(REFERENCE), choices.referenceCase ?? 'zero');
  const { config } = await buildPackConfig(inert, {
    context: choices.context,
    wallet: choices.wallet,
    nonce: choices.nonce,
    validAfter: choices.validAfter,
    deadline: choices.deadline,
    checkedAt: '2026-01-01T00:00:00.000Z',
    maxAttempts: 1 << 20,
    creatorRecipient: choices.wallet,
    name: choices.project?.name ?? inert.projectMetadata.name,
    symbol: choices.project?.symbol ?? inert.projectMetadata.symbol,
  });
  const { bytes } = packRequest(canonicalizeJson(config));
  return { bytes, request: createRequestSchema.parse(parseStrictJson(bytes)) };
}

/** Packs a reference request of a wallet under the context that the service publishes now, to be sent within half an hour. */
export async function packReferenceNow(
  service: { capabilities(): Promise<{ readonly context: unknown }> },
  wallet: string,
): Promise<{ bytes: Uint8Array; request: CreateRequest }> {
  const { context } = await service.capabilities();
  const now = BigInt(Math.floor(Date.now() / 1_000));
  return packReference({
    context: context as LaunchContext,
    wallet: wallet as Hex,
    nonce: BigInt(`0x${randomBytes(16).toString('hex')}`),
    validAfter: now - 30n,
    deadline: now + 1_800n,
  });
}
