import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import {
  PREFLIGHT_GRACE_MS,
  STEP_ABANDONED,
  type EvaluateSourceInput,
  type LaunchRef,
} from '@launch/contracts/orchestration';
import { ApiError } from '@launch/http';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../../platform/configuration/limits.js';
import { LAUNCH_WORKFLOWS, type LaunchWorkflows, type RunningEvaluation } from './launch-workflows.js';
import { StorageIntake } from '../../platform/storage/storage-intake.service.js';
import { LIMITS_CONFIG, LOGGER } from '../../platform/tokens.js';

/** The request of a preflight to admission; this service adds the name of the bytes. */
export type AskedEvaluation = Omit<EvaluateSourceInput, 'ref'> & {
  readonly ref: Omit<LaunchRef, 'launchId' | 'requestSha256'>;
  /** Lineage of the caller's credential. */
  readonly lineageId: string;
};

/** Evaluates the sources of preflights of every family. It awaits the result and deletes the bytes with the answer. */
@Injectable()
export class SourceEvaluationService {
  constructor(
    @Inject(StorageIntake) private readonly storage: Pick<StorageIntake, 'keepTemporary' | 'deleteTemporary'>,
    @Inject(LAUNCH_WORKFLOWS) private readonly workflows: LaunchWorkflows,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param gone aborts when the client disconnects, and stops the compilation too.
   * @throws ApiError `STORAGE_LOW`, `PREFLIGHT_PENDING` when the evaluation takes too long, `SERVICE_UNAVAILABLE`.
   */
  async run<Result>({ lineageId, ...asked }: AskedEvaluation, bytes: Uint8Array, gone: AbortSignal): Promise<Result> {
    if (gone.aborted) throw pending();
    const preflightId = randomUUID();
    const requestSha256 = await this.storage.keepTemporary(bytes, preflightId);
    try {
      const input = { ...asked, ref: { launchId: null, requestSha256, ...asked.ref } };
      return await this.await(preflightId, await this.start<Result>(preflightId, input, lineageId), gone);
    } finally {
      await this.storage.deleteTemporary(requestSha256, preflightId);
    }
  }

  private async start<Result>(
    preflightId: string,
    input: EvaluateSourceInput,
    lineageId: string,
  ): Promise<RunningEvaluation<Result>> {
    try {
      return await this.workflows.startEvaluation(preflightId, input, {
        lineageId,
        executionTimeoutMs: this.limits.preflightMs + PREFLIGHT_GRACE_MS,
      });
    } catch (error) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    }
  }

  private async await<Result>(
    preflightId: string,
    running: RunningEvaluation<Result>,
    gone: AbortSignal,
  ): Promise<Result> {
    const { promise: given, resolve: giveUp } = Promise.withResolvers<'given-up'>();
    const timer = setTimeout(() => giveUp('given-up'), this.limits.preflightMs);
    const onGone = (): void => giveUp('given-up');
    gone.addEventListener('abort', onGone, { once: true });
    if (gone.aborted) onGone();
    try {
      const outcome = await Promise.race([running.result(), given]);
      if (outcome !== 'given-up') return outcome;
    } catch (error) {
      // Not transient: the same bytes would fail in the same way.
      if (isAbandoned(error)) throw new ApiError('INTERNAL', { cause: error });
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', onGone);
    }
    await running
      .cancel()
      .catch((error: unknown) => this.logger.warn({ err: error, preflightId }, 'a preflight could not be cancelled'));
    throw pending();
  }
}

const isAbandoned = (error: unknown): boolean =>
  error instanceof WorkflowFailedError &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === STEP_ABANDONED;

const pending = (): ApiError => new ApiError('PREFLIGHT_PENDING', { retryAfterSeconds: 5 });
