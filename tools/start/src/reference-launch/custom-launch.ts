import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  customLaunchFinalizedListSchema,
  customLaunchPreflightSchema,
  customLaunchResourceSchema,
  type CustomLaunchFinalized,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import type { z } from 'zod';
import { sendFromController } from './controller-wallet.js';
import { packOnStack, readPublished } from './pack-custom-launch.js';
import { issueControllerKey, ReferenceLaunchError, type ReferenceLaunchOptions } from './reference-launch.js';
import { untilEvaluated } from './until-evaluated.js';

export type CustomLaunchOptions = Omit<ReferenceLaunchOptions, 'referenceCase'>;

export interface CustomLaunchResult {
  readonly launchId: string;
  readonly resource: CustomLaunchResource;
  readonly record: CustomLaunchFinalized;
}

const LAUNCHES = `${CHAIN_BASE_PATH}/custom-launches`;
const FEED = `${CHAIN_BASE_PATH}/finalized-custom-launches`;
const POLL_MS = 400;
const DEFAULT_TIMEOUT_MS = 240_000;

/** The custom-launch routes as one key's holder asks them. */
export class CustomLaunchClient {
  constructor(
    private readonly stack: Pick<Stack, 'gateway'>,
    private readonly apiKey: string,
  ) {}

  /**
   * Asks again while the answer is 503 and retryable: a preflight is pending, or a part of the product is away.
   * @throws ReferenceLaunchError for every other status than those expected.
   */
  async ask<T>(method: 'GET' | 'POST', route: string, schema: z.ZodType<T>, sent: Sent = {}): Promise<T> {
    const { status, text } = await untilEvaluated(
      async () => {
        const response = await this.send(method, route, sent);
        return { status: response.status, text: await response.text() };
      },
      (answer) => answer.status === 503 && answer.text.includes('"retryable":true'),
    );
    if (status < 200 || status > 299)
      throw new ReferenceLaunchError(`${method} ${route} answers ${status}: ${text.slice(0, 1_000)}`);
    return schema.parse(JSON.parse(text));
  }

  send(method: 'GET' | 'POST', route: string, { body, idempotencyKey }: Sent = {}): Promise<Response> {
    return fetch(`${this.stack.gateway}${route}`, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
  }

  read(launchId: string): Promise<CustomLaunchResource> {
    return this.ask('GET', `${LAUNCHES}/${launchId}`, customLaunchResourceSchema);
  }
}

interface Sent {
  readonly body?: Uint8Array;
  readonly idempotencyKey?: string;
}

/**
 * One custom launch as a user makes it: packed offline, sent to preflight and created. The controller's own wallet
 * sends exactly the handed-off transaction; the launch is watched to finality and read from the public feed. No client
 * names the transaction to the service.
 */
export async function runCustomLaunch(options: CustomLaunchOptions): Promise<CustomLaunchResult> {
  const { stack, workDir } = options;
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let last = Date.now();
  const stage = (name: string, detail?: string): void => {
    const now = Date.now();
    options.onStage(name, now - last, detail);
    last = now;
  };
  const keep = (name: string, contents: Uint8Array | string): Promise<void> =>
    writeFile(path.join(workDir, name), contents, { mode: 0o600, flag: 'wx' });

  const { bytes, report, config } = await packOnStack(stack, options.bundles);
  await keep('config.json', JSON.stringify(config, null, 2));
  await keep('request.json', bytes);
  stage('packed', `${report.byteLength} bytes, ${report.requestSha256}`);

  const client = new CustomLaunchClient(stack, options.apiKey ?? (await issueControllerKey(stack, 'reference-v4')));
  const preflight = await client.ask('POST', `${LAUNCHES}/preflight`, customLaunchPreflightSchema, { body: bytes });
  const { deployable, disposition, findings } = preflight.launchEligibility;
  if (!deployable)
    throw new ReferenceLaunchError(
      `the preflight answers ${disposition}: ${findings.map(({ code, path: at }) => `${code} ${at}`).join(', ')}`,
    );
  stage('preflighted', preflight.classification);

  const { idempotencyKey } = report;
  const created = await client.ask('POST', LAUNCHES, customLaunchResourceSchema, { body: bytes, idempotencyKey });
  const { launchId } = created;
  stage('reserved', launchId);

  const wait = async (until: (resource: CustomLaunchResource) => boolean): Promise<CustomLaunchResource> => {
    for (;;) {
      const resource = await client.read(launchId);
      if (until(resource)) return resource;
      const { status, statusReason, finality } = resource;
      if (status === 'action_required' || status === 'failed')
        throw new ReferenceLaunchError(
          `the launch is ${status}: ${resource.findings.map(({ code, path: at }) => `${code} ${at}`).join(', ') || (resource.failure?.code ?? '')}`,
        );
      if (Date.now() > deadline)
        throw new ReferenceLaunchError(
          `the launch is still ${status} (${statusReason ?? 'no reason'}), finality ${finality.stage}`,
        );
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };

  const { handoff } = await wait(
    (resource) => resource.handoff !== null && resource.status === 'awaiting_wallet_signature',
  );
  if (handoff === null || handoff.requestSha256 !== report.requestSha256)
    throw new ReferenceLaunchError('the hand-off is of another request');
  await keep('handoff.json', JSON.stringify(handoff, null, 2));
  stage('authorized', `permit ${handoff.permitDigest}`);

  const transactionHash = await sendFromController(stack, handoff.walletTransaction);
  stage('sent', transactionHash);

  const included = await wait(({ finality }) => finality.stage !== 'pending');
  stage('included', nextExpected(included));
  const posted = await wait(({ finality }) => finality.stage === 'posted' || finality.stage === 'ethereum_finalized');
  stage('posted to Ethereum', nextExpected(posted));
  const resource = await wait(({ status }) => status === 'finalized');
  stage('finalized', resource.updatedAt);

  const record = await publishedRecord(stack, launchId);
  if (record.onchain.transactionHash !== transactionHash || record.onchain.routerLaunchId !== resource.onchainLaunchId)
    throw new ReferenceLaunchError('the public record is of another launch');
  await keep('record.json', JSON.stringify(record, null, 2));
  stage('read from the public feed', `token ${record.market.token}`);
  return { launchId, resource, record };
}

const nextExpected = ({ finality }: CustomLaunchResource): string | undefined =>
  finality.estimatedNextStageAt === null ? undefined : `next expected by ${finality.estimatedNextStageAt}`;

/** Reads the launch's record from the public feed, on any of its pages. */
export async function publishedRecord(stack: Stack, launchId: string): Promise<CustomLaunchFinalized> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? 'limit=25' : `limit=25&cursor=${encodeURIComponent(cursor)}`;
    const { items, nextCursor } = await readPublished(stack, `${FEED}?${query}`, customLaunchFinalizedListSchema);
    const found = items.find((item) => item.launchId === launchId);
    if (found !== undefined) return found;
    cursor = nextCursor;
  }
  throw new ReferenceLaunchError(`the public feed has no record of ${launchId}`);
}
