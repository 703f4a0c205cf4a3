import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  moduleCapabilitiesSchema,
  moduleReceiptSchema,
  moduleReviewCapabilitiesSchema,
  moduleReviewStatusSchema,
  MODULES_PATH,
  type ModuleReviewStatus,
} from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';
import type { ReviewState } from '@launch/contracts/states';
import { readPublished } from '../reference-launch/pack-custom-launch.js';
import { issueKey, ReferenceLaunchError, type ReferenceLaunchOptions } from '../reference-launch/reference-launch.js';
import { runJsonTool } from '../reference-launch/run-tool.js';
import { EXAMPLE_FILES, EXAMPLE_TARGET, examplePackage } from './example-module.js';
import { ReviewerDesk } from './reviewer-desk.js';

export type ReferenceModuleOptions = Pick<ReferenceLaunchOptions, 'stack' | 'workDir' | 'onStage' | 'timeoutMs'>;

export interface ReferenceModuleResult {
  readonly submissionId: string;
  readonly status: ModuleReviewStatus;
}

const POLL_MS = 300;
const DEFAULT_TIMEOUT_MS = 240_000;
const COMMAND = 'review-status-module';

/** The output of a successful module CLI command. */
interface CliOutput {
  readonly httpStatus: number | null;
  readonly resource: unknown;
}

/**
 * One module as its author contributes it, by the module CLI that the service publishes, and as a reviewer takes it to a
 * decision: planned, built twice, accepted by a wallet that is not the author's.
 */
export async function runReferenceModule(options: ReferenceModuleOptions): Promise<ReferenceModuleResult> {
  const { stack, workDir } = options;
  const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let last = Date.now();
  const stage = (name: string, detail?: string): void => {
    const now = Date.now();
    options.onStage(name, now - last, detail);
    last = now;
  };
  const root = path.join(workDir, 'module');
  await mkdir(path.join(root, 'src'), { recursive: true, mode: 0o700 });
  const keep = (file: string, contents: string | Uint8Array): Promise<void> =>
    writeFile(file, contents, { mode: 0o600, flag: 'wx' });
  /** Asks until the answer fits; the deadline is for what never comes. */
  async function wait<T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
    for (;;) {
      const answer = await ask();
      if (fits(answer)) return answer;
      if (Date.now() > deadline) throw new ReferenceLaunchError(`${what}: still ${JSON.stringify(answer)}`);
      await sleep(POLL_MS);
    }
  }

  const author = stack.controller?.address;
  if (author === undefined) throw new ReferenceLaunchError('this stack has no controller of its own');
  for (const [file, text] of Object.entries(EXAMPLE_FILES)) await keep(path.join(root, file), text);
  const descriptor = examplePackage(author, `owned-fee-${randomBytes(4).toString('hex')}`);
  await keep(path.join(root, 'module.json'), JSON.stringify(descriptor, null, 2));

  const client = path.join(workDir, 'module-cli.mjs');
  await keep(client, await publishedClient(stack));
  const key = await issueKey(stack, author, ['modules:submit', 'modules:read'], 'reference-module');
  const cli = (command: string, given: Readonly<Record<string, string>>): Promise<CliOutput> =>
    runJsonTool<CliOutput>(
      'module-cli',
      [process.execPath, client, command, ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])],
      { SERVICE_MODULES_API_KEY: key },
    );

  const request = path.join(workDir, 'module-request.json');
  await cli('prepare-module-submission', { root, package: 'module.json', out: request });
  stage('prepared', `${descriptor.name} ${descriptor.version}, family ${descriptor.family}`);

  const service = { 'api-origin': stack.gateway, receipts: path.join(workDir, 'receipts') };
  const sent = { root, request, 'idempotency-key': randomUUID(), ...service };
  const first = await cli('submit-module', sent);
  const { submissionId } = moduleReceiptSchema.parse(first.resource);
  stage(`submitted ${first.httpStatus}`, submissionId);
  const again = await cli('submit-module', sent);
  if (!isDeepStrictEqual(again.resource, first.resource))
    throw new ReferenceLaunchError('the replay has another receipt');
  stage(`replayed ${again.httpStatus}`, 'the same receipt');

  // The review worker reports every few seconds; a stack that has just begun may not have heard of it yet.
  await wait(
    'reviews are not available',
    () => readPublished(stack, `${MODULES_PATH}/review-capabilities`, moduleReviewCapabilitiesSchema),
    ({ reviewAvailable }) => reviewAvailable,
  );
  const status = async (): Promise<ModuleReviewStatus> =>
    moduleReviewStatusSchema.parse((await cli(COMMAND, { id: submissionId, ...service })).resource);
  const desk = await ReviewerDesk.open(stack);
  const reached = (state: ReviewState): Promise<unknown> =>
    wait(
      `the review does not get ${state}`,
      async () => {
        const { review, lastError } = (await desk.read(submissionId)).status;
        if (review.state === 'build_failed') throw new ReferenceLaunchError(`the build failed: ${lastError?.code}`);
        return review.state;
      },
      (now) => now === state,
    );
  await desk.attachPlan(submissionId, EXAMPLE_TARGET);
  stage('plan attached', `${EXAMPLE_TARGET.path}:${EXAMPLE_TARGET.contract}`);

  await reached('built');
  const { build } = await status();
  stage('built twice', `equal ${build?.artifactDigest}`);
  await desk.decide(submissionId, 'accept', 'The fee has a bound, and its owner alone changes it.');
  await reached('accepted');
  stage(`accepted by ${desk.wallet}`);

  const end = await status();
  if (end.decision?.reviewerWallet !== desk.wallet) throw new ReferenceLaunchError('another wallet is said to accept');
  stage(end.review.nextAction, `by ${COMMAND}`);
  return { submissionId, status: end };
}

/** The newest module CLI that the service publishes, held to its published digest. */
async function publishedClient({ gateway }: ReferenceModuleOptions['stack']): Promise<Uint8Array> {
  const { clients } = await readPublished({ gateway }, `${MODULES_PATH}/capabilities`, moduleCapabilitiesSchema);
  // They are listed in the order of their releases.
  const newest = clients.findLast(({ commands }) => commands.includes(COMMAND));
  if (newest === undefined) throw new ReferenceLaunchError(`no published module CLI has ${COMMAND}`);
  const response = await fetch(`${gateway}${newest.path}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok || sha256Digest(bytes) !== newest.contentSha256)
    throw new ReferenceLaunchError(`${newest.path} is not the client that the capabilities name`);
  return bytes;
}
