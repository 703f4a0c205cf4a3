import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type AnyFinalizedRecord,
  anyFinalizedRecordSchema,
  FINALITY_ROUTES,
  finalityGeneration,
  type LaunchResource,
  launchResourceSchema,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import type { Stack } from '../stack.schema.js';
import { sendFromController } from './controller-wallet.js';
import { packCase, type ReferenceCase } from './pack-case.js';
import { runJsonTool, ToolError } from './run-tool.js';
import { untilEvaluated } from './until-evaluated.js';

export interface ReferenceLaunchOptions {
  readonly stack: Stack;
  readonly referenceCase: ReferenceCase;
  /** Folder with the client bundles. */
  readonly bundles: string;
  /** Folder for the launch's files; created. */
  readonly workDir: string;
  /** Called for each stage as the launch reaches it. */
  readonly onStage: (stage: string, milliseconds: number, detail?: string) => void;
  /** An API key to use; without it one is issued for the controller. */
  readonly apiKey?: string;
  readonly timeoutMs?: number;
}

export interface ReferenceLaunchResult {
  readonly launchId: string;
  readonly onchainLaunchId: string;
  readonly transactionHash: string;
  readonly record: AnyFinalizedRecord;
}

const POLL_MS = 400;
const WINDOW_SECONDS = 1_800;
const DEFAULT_TIMEOUT_MS = 240_000;

export class ReferenceLaunchError extends Error {
  override readonly name = 'ReferenceLaunchError';
}

interface IssuedKey {
  readonly key: string;
}

/** Issues a wallet's key through the operator's own command. */
export async function issueKey(
  { adminCommand }: Pick<Stack, 'adminCommand'>,
  wallet: string,
  scopes: readonly string[],
  label: string,
): Promise<string> {
  const given = ['--wallet', wallet, '--scopes', scopes.join(','), '--label', label];
  return (await runJsonTool<IssuedKey>('launch-admin', [...adminCommand, 'keys', 'issue', ...given, '--json'])).key;
}

/** Issues a launch key for the stack's controller. */
export async function issueControllerKey(stack: Stack, label: string): Promise<string> {
  if (stack.controller === null) throw new ReferenceLaunchError('this stack has no controller of its own');
  return issueKey(stack, stack.controller.address, ['custom-launch:create', 'custom-launch:read'], label);
}

const isPending = (error: unknown): boolean =>
  error instanceof ToolError && error.result.stderr.includes('PREFLIGHT_PENDING');

/**
 * One launch as a user makes it. The packer and the builder pack it offline; the client preflights and creates it. It
 * is signed and sent by the controller's own wallet, watched to finality and read from the public feed.
 */
export async function runReferenceLaunch(options: ReferenceLaunchOptions): Promise<ReferenceLaunchResult> {
  const { stack, bundles, workDir, referenceCase } = options;
  if (stack.controller === null) throw new ReferenceLaunchError('this stack has no controller of its own');
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let last = Date.now();
  const stage = (name: string, detail?: string): void => {
    const now = Date.now();
    options.onStage(name, now - last, detail);
    last = now;
  };

  const node = process.execPath;
  const file = (name: string): string => path.join(workDir, name);
  const tool = (name: string): string => path.join(bundles, name);
  const apiKey = options.apiKey ?? (await issueControllerKey(stack, `reference-${referenceCase}`));
  const clientEnv = { SERVICE_API_BASE_URL: stack.gateway, SERVICE_API_KEY: apiKey };
  const client = async <T>(...args: string[]): Promise<T> =>
    (await runJsonTool<{ response: T }>('client', [node, tool('client.mjs'), ...args], clientEnv)).response;

  await client('capabilities', '--save-response', file('capabilities.json'));
  const validAfter = Math.floor(Date.now() / 1000) - 60;
  const report = await packCase({
    referenceCase,
    bundles,
    workDir,
    capabilitiesFile: file('capabilities.json'),
    requestFile: file('request.json'),
    wallet: stack.controller.address,
    nonce: BigInt(`0x${randomBytes(16).toString('hex')}`).toString(),
    validAfter,
    deadline: validAfter + WINDOW_SECONDS,
  });
  stage('packed', `${report.byteLength} bytes, ${report.requestHash}`);

  const preflight = await untilEvaluated(
    () =>
      client<{ source: { disposition: string } }>('preflight', '--request', file('request.json')).catch(
        (error: unknown) => (isPending(error) ? null : Promise.reject(error as Error)),
      ),
    (answer) => answer === null,
  );
  if (preflight === null) throw new ReferenceLaunchError('the preflight is still pending');
  if (preflight.source.disposition !== 'source_supported')
    throw new ReferenceLaunchError(`the preflight answers ${preflight.source.disposition}`);
  stage('preflighted', preflight.source.disposition);

  const created = await client<LaunchResource>(
    'create',
    '--request',
    file('request.json'),
    '--save-response',
    file('created.json'),
  );
  const { launchId } = created;
  stage('reserved', launchId);

  const wait = async (until: (resource: LaunchResource) => boolean): Promise<LaunchResource> => {
    for (;;) {
      const resource = await readLaunch(stack, apiKey, launchId);
      if (until(resource)) return resource;
      if (['action_required', 'failed', 'expired'].includes(resource.status)) {
        throw new ReferenceLaunchError(
          `the launch is ${resource.status}: ${resource.findings.map((finding) => finding.code).join(', ')}`,
        );
      }
      if (Date.now() > deadline)
        throw new ReferenceLaunchError(`the launch is still ${resource.status}, finality ${resource.finality.state}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };

  const admitted = await wait((resource) => resource.wallet !== null);
  const handoff = admitted.wallet;
  if (handoff === null) throw new ReferenceLaunchError('no wallet hand-off');
  await writeFile(file('wallet.json'), JSON.stringify(handoff, null, 2), { mode: 0o600, flag: 'wx' });
  stage('authorized', `permit ${handoff.permitDigest}`);

  const transactionHash = await sendFromController(stack, handoff.walletTransaction);
  stage('sent', transactionHash);
  await client(
    'recovery-transaction-hints',
    '--original-launch',
    file('created.json'),
    '--transaction-hash',
    transactionHash,
  );

  const included = await wait((resource) => resource.finality.state !== 'pending');
  stage('included', nextExpected(included.finality));
  const posted = await wait(
    (resource) => resource.finality.posting !== null || resource.finality.state === 'ethereum_finalized',
  );
  stage('posted to Ethereum', nextExpected(posted.finality));
  const finished = await wait((resource) => resource.status === 'finalized');
  stage('finalized', finalizedAt(finished.finality));

  const generation = finalityGeneration(created.context);
  if (typeof generation !== 'string') throw new ReferenceLaunchError('the context selects no finality generation');
  const record = anyFinalizedRecordSchema.parse(
    await readPublic(
      stack,
      FINALITY_ROUTES[generation].feed.record.replace('{onchainLaunchId}', finished.onchainLaunchId),
    ),
  );
  if (record.apiLaunchId !== launchId || record.provenance.transactionHash !== transactionHash) {
    throw new ReferenceLaunchError('the public record is of another launch');
  }
  await writeFile(file('record.json'), JSON.stringify(record, null, 2), { mode: 0o600, flag: 'wx' });
  stage('read from the public feed', `token ${record.market.token}`);
  return { launchId, onchainLaunchId: finished.onchainLaunchId, transactionHash, record };
}

/** Formats when the next stage is expected; empty if the launch passed it between two polls. */
const nextExpected = ({ estimatedNextStageAt, basis }: LaunchResource['finality']): string | undefined =>
  estimatedNextStageAt === null ? (basis ?? undefined) : `next expected by ${estimatedNextStageAt}, ${basis ?? ''}`;

const finalizedAt = (finality: LaunchResource['finality']): string => finality.finalizedAt ?? '';

async function readLaunch(stack: Stack, apiKey: string, launchId: string): Promise<LaunchResource> {
  const response = await fetch(`${stack.gateway}${MULTI_ROLE_BASE_PATH}/${launchId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok)
    throw new ReferenceLaunchError(
      `GET ${launchId} answers ${response.status}: ${(await response.text()).slice(0, 500)}`,
    );
  return launchResourceSchema.parse(await response.json());
}

async function readPublic(stack: Stack, route: string): Promise<unknown> {
  const response = await fetch(`${stack.gateway}${route}`);
  if (!response.ok) throw new ReferenceLaunchError(`GET ${route} answers ${response.status}`);
  return response.json();
}
