import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { customLaunchFindingOf, type CustomLaunchFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { CUSTOM_LAUNCH_ARRIVAL, CUSTOM_LAUNCH_KEY, judge, type StageFacts } from '@launch/launch-rules';
import type { Caller } from '../../accounts/credentials/caller.js';
import type { CustomLaunchForm, CustomLaunchRequestForm } from './custom-launch.form.js';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../../gates/custom-launch-release.js';
import type { FormReader } from '../../../platform/request-forms/form-reader.js';
import { ensureDecided, nonceFinding, nonceStateOf, undecided, windowSeconds, type NonceState } from '../arrival.js';
import { LaunchRepository } from '../launch.repository.js';
import { LAUNCH_CHAIN, type LaunchChain } from '../../chain/launch-chain.js';
import { CLOCK, FORM_READER, type Clock } from '../../../platform/tokens.js';

/** The context that new requests are judged by. */
export interface PublishedContext {
  readonly document: CustomLaunchContext;
  readonly contextHash: Hex;
  readonly router: Hex;
  /** Canonical JSON of the document. */
  readonly text: string;
}

/** A body that was read, with the context that it is judged by. */
export interface ReadRequest<Form extends CustomLaunchForm> {
  readonly form: Form;
  /** The bytes of the request, as sent. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly against: PublishedContext;
  /** The key of the caller and the wallet of the body, for the rule of keys. */
  readonly key: StageFacts<typeof CUSTOM_LAUNCH_KEY>;
}

/** A body that was judged by its form, this deployment and the chain's heads. */
export interface JudgedCustomLaunchRequest<Form extends CustomLaunchForm> extends ReadRequest<Form> {
  readonly digest: Sha256Digest;
  /** All faults of form and of arrival, without the nonce. */
  readonly findings: readonly CustomLaunchFinding[];
  readonly nonceInUse: boolean;
}

/**
 * Checks custom launches and plans before a reservation: bytes, schema, wallet; then, reported together, image, sums,
 * budget, profile, context, window and checkpoint; then the nonce (docs/reference/api-conventions.md#order-of-checks).
 */
@Injectable()
export class CustomLaunchJudge {
  private published: PublishedContext | undefined;

  constructor(
    @Inject(LaunchRepository) private readonly launches: Pick<LaunchRepository, 'isNonceReserved'>,
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly release: CustomLaunchRelease,
    @Inject(LAUNCH_CHAIN) private readonly chain: LaunchChain,
    @Inject(FORM_READER) private readonly reader: FormReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param body belongs to the judge after the call.
   * @throws ApiError for bytes (400) and schema (422); for another wallet (403) if it is a custom-launch request.
   */
  async read<Form extends CustomLaunchForm>(
    form: CustomLaunchRequestForm<Form>,
    body: Buffer<ArrayBuffer>,
    caller: Caller,
  ): Promise<ReadRequest<Form>> {
    const against = this.current();
    const { form: read, bytes } = await this.reader.read(form, body, against.document);
    const key = { request: read, controllers: new Set(caller.controllers) };
    // A plan reports another wallet together with its other findings.
    const [foreign] = form.name === 'custom-launch.v4' ? judge(CUSTOM_LAUNCH_KEY, key) : [];
    if (foreign !== undefined) throw new ApiError(foreign.code, { findings: [foreign] });
    return { form: read, bytes, against, key };
  }

  /**
   * Reports every fault at once, even while the chain is unreachable. Only a request without a fault waits for the chain.
   * @param body belongs to the judge after the call; `digest` is its name.
   * @throws ApiError as `read`; 503 for a request without a fault while clocks, checkpoint or nonce cannot be judged.
   */
  async judge<Form extends CustomLaunchForm>(
    form: CustomLaunchRequestForm<Form>,
    body: Buffer<ArrayBuffer>,
    digest: Sha256Digest,
    caller: Caller,
  ): Promise<JudgedCustomLaunchRequest<Form>> {
    const read = await this.read(form, body, caller);
    const [{ facts, clocks, checkpoint }, nonce] = await Promise.all([this.arrival(read), this.nonce(read)]);
    const findings = [
      ...judge(CUSTOM_LAUNCH_KEY, read.key),
      ...read.form.findings,
      ...judge(CUSTOM_LAUNCH_ARRIVAL, facts),
    ];
    if (findings.length === 0) {
      ensureDecided(clocks, nonce);
      if (checkpoint.kind === 'indeterminate') throw undecided(`the checkpoint cannot be judged: ${checkpoint.reason}`);
    }
    return { ...read, digest, findings, nonceInUse: nonce === 'in-use' };
  }

  /** Judges a request's window and checkpoint by the clocks and the chain, and returns the facts for the rules. */
  async arrival({ form, against: { contextHash, document } }: ReadRequest<CustomLaunchForm>) {
    const { blockNumber, blockHash } = form.checkpoint;
    const [clocks, checkpoint] = await Promise.all([
      this.chain.clocks(),
      this.chain.judgeCheckpoint({ blockNumber: BigInt(blockNumber), blockHash }),
    ]);
    const facts = {
      context: { hash: form.contextHash, holds: true, accepted: new Set([contextHash]), current: contextHash },
      request: { ...form, context: document },
      clocks: windowSeconds(clocks, this.clock.now()),
      isCheckpointHeld: checkpoint.kind !== 'stale',
    };
    return { facts, clocks, checkpoint };
  }

  /** Reads one US dollar in wei by the price feeds of the published context; null while the feeds are unreliable. */
  async oneUsdReferenceWei({ against }: ReadRequest<CustomLaunchForm>): Promise<bigint | null> {
    const reading = await this.chain.readUsdReference(against.document.chainDeployment.usdReference);
    return reading?.kind === 'usable' ? reading.oneUsdReferenceWei : null;
  }

  /** Reports whether the database or the chain knows the controller's nonce. */
  nonce({ form, against }: ReadRequest<CustomLaunchForm>): Promise<NonceState> {
    return nonceStateOf({ launches: this.launches, chain: this.chain }, against.router, form);
  }

  /** @throws ApiError `CONTEXT_UNAVAILABLE` while none is published: the gates are closed then. */
  private current(): PublishedContext {
    const document = this.release.context();
    const { bound } = this.release.state();
    if (document === null || bound === null) throw new ApiError('CONTEXT_UNAVAILABLE', { retryAfterSeconds: 5 });
    if (this.published?.document !== document)
      this.published = {
        document,
        contextHash: bound.contextHash,
        router: document.chainDeployment.router.address,
        text: canonicalJsonText(document),
      };
    return this.published;
  }
}

/** Makes the finding for a nonce in use, with the expected value that these families show. */
export const customLaunchNonceFinding = (form: { readonly nonce: string }): CustomLaunchFinding => ({
  ...customLaunchFindingOf(nonceFinding(form)),
  expected: 'a nonce that no launch of this controller has',
});

/** Makes the error of a create whose nonce another launch holds. */
export const nonceTaken = ({ form }: { readonly form: CustomLaunchForm }): ApiError =>
  new ApiError('NONCE_IN_USE', { findings: [customLaunchNonceFinding(form)] });
