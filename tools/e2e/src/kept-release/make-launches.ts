import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalizeJson } from '@launch/contracts/json';
import { DERIVED_CONTRACT_FINALITY_V3, type LaunchContext, type LaunchResource } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/evm';
import { REFERENCE_LAUNCHES, runReferenceLaunch, type ReferenceCase } from '@launch/start';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { forbiddenMode, Launcher, PATIENCE_MS, type PreparedRequest } from '../fixtures/launcher.fixture.js';
import { freshNonce, seconds } from '../fixtures/launch-desk.fixture.js';
import type { E2eStack } from '../stacks/own-stack.js';
import { packReference } from '../reference-request.js';
import { reseal, thaw, type MutableRequest } from '../request-mutation.js';
import type { KeptLaunch } from './kept-release.js';

/** A launch of the recording, with what it takes to send it again. */
export interface MadeLaunch extends KeptLaunch {
  readonly request: PreparedRequest;
  readonly transactionHash: Hex | null;
}

export interface MakerKeys {
  readonly owner: string;
  readonly partner: string;
  readonly creator: string;
  readonly revoked: string;
}

const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
/** Enough for custody to sign on a busy machine, and soon over. */
const SHORT_WINDOW_SECONDS = 130;

/** Makes launches in as many states as a running stack gives, and leaves them there. */
export class LaunchMaker {
  readonly made: MadeLaunch[] = [];

  constructor(
    private readonly stack: E2eStack,
    private readonly keys: MakerKeys,
    private readonly say: (line: string) => void,
  ) {}

  /** A finalized launch under the V3 context that the stack began with; then the V2 context of everything else. */
  async underV3(): Promise<LaunchContext> {
    await this.reference('zero', 'finalized, V3 finality');
    const {
      profile: { derivedContractFinality, ...profile },
      ...rest
    } = (await this.#launcher('owner')).context;
    if (derivedContractFinality !== DERIVED_CONTRACT_FINALITY_V3)
      throw new Error('the stack began without V3 finality');
    const context: LaunchContext = { ...rest, profile };
    const file = path.join(this.stack.dir, 'context-v2.json');
    await writeFile(file, canonicalizeJson(context), { mode: 0o600 });
    for (const service of ['permit-custody', 'finality-worker', 'api-gateway'] as const)
      await this.stack.restart(service, { LAUNCH_CONTEXT_FILE: file });
    return context;
  }

  async underV2(): Promise<void> {
    const owner = await this.#launcher('owner');
    const short = await owner.prepare({ windowSeconds: SHORT_WINDOW_SECONDS });
    const expiring = await owner.handedOff(await owner.create(short));
    await this.#refused('refused: an unsupported mode, by a partner', 'partner', forbiddenMode);
    await this.#refused(
      'refused: a forbidden opcode, by a key that was revoked',
      'revoked',
      ({ graphBundle: { components } }) => (components[0]!.expectedRuntimeCode = `0x${'ff'.repeat(64)}`),
    );
    await this.#refused(
      'refused: other economics than declared',
      'owner',
      (request) => (request.liquidityModel = { ...request.liquidityModel, liquidity: '1' }),
    );
    await this.#failed();
    for (const key of ['owner', 'creator'] as const) await this.#awaiting(key);
    for (const referenceCase of REFERENCE_LAUNCHES) await this.reference(referenceCase, `finalized: ${referenceCase}`);
    const expired = await owner.api.until(expiring.launchId, ({ status }) => status === 'expired', PATIENCE_MS);
    this.#keep('expired', 'owner', short, expired, null);
    await this.#inclusion(owner);
    await this.#held(owner);
  }

  /** The published programs from packing to the public record, as a launcher types them. */
  async reference(referenceCase: ReferenceCase, name: string): Promise<void> {
    const workDir = path.join(await mkdtemp(path.join(this.stack.dir, 'reference-')), referenceCase);
    const { launchId, transactionHash } = await runReferenceLaunch({
      stack: this.stack.stack,
      referenceCase,
      bundles: BUNDLES,
      workDir,
      apiKey: this.keys.owner,
      onStage: () => undefined,
    });
    const resource = await (await this.#launcher('owner')).api.get(launchId);
    const request = {
      bytes: await readFile(path.join(workDir, 'request.json')),
      idempotencyKey: resource.idempotencyKey,
    };
    this.#keep(name, 'owner', request, resource, transactionHash as Hex);
  }

  async #refused(name: string, key: keyof MakerKeys, change: (request: MutableRequest) => unknown): Promise<void> {
    const launcher = await this.#launcher(key);
    const request = await launcher.prepare({ change: (mutable) => void change(mutable) });
    const resource = await launcher.api.until(
      await launcher.create(request),
      ({ status }) => status === 'action_required',
      PATIENCE_MS,
    );
    this.#keep(name, key, request, resource, null);
  }

  /** More tokens wanted of the first purchase than the pool can give. */
  async #failed(): Promise<void> {
    const launcher = await this.#launcher('owner');
    const { context } = launcher;
    const { request: buy } = await packReference({
      context,
      referenceCase: 'buy',
      wallet: this.stack.controller as Hex,
      nonce: BigInt(freshNonce()),
      validAfter: seconds() - 30n,
      deadline: seconds() + 1_800n,
    });
    const greedy = thaw(buy);
    greedy.fundingPlan = { ...greedy.fundingPlan, minimumTokensOut: (2n ** 100n).toString() };
    const request = { bytes: reseal(greedy), idempotencyKey: `kept-${randomUUID()}` };
    const resource = await launcher.api.until(
      await launcher.create(request),
      ({ status }) => status === 'failed' || status === 'action_required',
      PATIENCE_MS,
    );
    this.#keep('a minimum that the pool cannot give', 'owner', request, resource, null);
  }

  async #awaiting(key: 'owner' | 'creator'): Promise<void> {
    const launcher = await this.#launcher(key);
    const request = await launcher.prepare();
    const launchId = await launcher.create(request);
    if (key === 'owner') {
      this.#keep(
        'handed off, never sent',
        key,
        request,
        await launcher.api.until(launchId, ({ status }) => status === 'awaiting_wallet_signature', PATIENCE_MS),
        null,
      );
      return;
    }
    // A key that may not read hears by its replays alone.
    const answer = await launcher.replay(request);
    if (answer.status !== 200) throw new Error(`the replay answers ${answer.status}`);
    this.#keep('handed off, by a key that may not read', key, request, answer.body as LaunchResource, null);
  }

  /** Two that were sent: one that stays in its block while nothing is posted, one whose block was taken back. */
  async #inclusion(owner: Launcher): Promise<void> {
    const chains = new ChainFaults(this.stack);
    await chains.holdPosting();
    const sent: { request: PreparedRequest; launchId: string; hash: Hex }[] = [];
    for (let count = 0; count < 2; count += 1) {
      const request = await owner.prepare();
      const launch = await owner.handedOff(await owner.create(request));
      const hash = await owner.send(launch);
      await owner.api.until(launch.launchId, ({ finality }) => finality.state === 'included', PATIENCE_MS);
      sent.push({ request, launchId: launch.launchId, hash });
    }
    const [stays, dropped] = sent as [(typeof sent)[0], (typeof sent)[0]];
    await chains.reorg('4663', { dropTransaction: dropped.hash });
    this.#keep(
      'sent, and its block taken back',
      'owner',
      dropped.request,
      await owner.api.until(
        dropped.launchId,
        ({ status, finality }) => status === 'submitted' && finality.state === 'pending',
        PATIENCE_MS,
      ),
      dropped.hash,
    );
    this.#keep(
      'included, not posted',
      'owner',
      stays.request,
      await owner.api.until(stays.launchId, ({ finality }) => finality.state === 'included', PATIENCE_MS),
      stays.hash,
    );
  }

  /** Two in mid-admission: before custody, and before anything. */
  async #held(owner: Launcher): Promise<void> {
    await this.stack.services.kill('permit-custody', 'SIGTERM', { hold: true });
    const judged = await owner.prepare();
    const judgedId = await owner.create(judged);
    this.#keep(
      'judged, waiting for custody',
      'owner',
      judged,
      await owner.api.until(judgedId, ({ sourceAssessment }) => sourceAssessment !== null, PATIENCE_MS),
      null,
    );
    await this.stack.services.kill('admission-worker', 'SIGTERM', { hold: true });
    const reserved = await owner.prepare();
    this.#keep(
      'reserved, waiting for admission',
      'owner',
      reserved,
      await owner.api.get(await owner.create(reserved)),
      null,
    );
  }

  #launcher(key: keyof MakerKeys): Promise<Launcher> {
    return Launcher.withKey(this.stack, this.keys[key]);
  }

  #keep(
    name: string,
    key: string,
    request: PreparedRequest,
    { launchId, status }: LaunchResource,
    transactionHash: Hex | null,
  ): void {
    this.made.push({ name, key, launchId, status, request, transactionHash });
    this.say(`${status.padEnd(26)} ${name}`);
  }
}
