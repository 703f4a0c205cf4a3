import { Inject, Injectable } from '@nestjs/common';
import type { JsonValue } from '@launch/contracts/json';
import {
  transactionHintSchema,
  transactionHintV3Schema,
  type TransactionHintReceipt,
  type TransactionHintReceiptV3,
} from '@launch/contracts/multi-role';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { ApiError, readCanonicalJson, readSchema, refusal } from '@launch/http';
import { launchIdFrom } from '../../../core/launches/path-ids.js';
import { statusUrlOf } from './launch.resource.js';
import { ReadLaunchService } from './read-launch.service.js';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import { HintRepository } from '../data/hint.repository.js';

const HINT_GENERATIONS = /^service\.multi-role-transaction-hint\.v[0-9]{1,3}$/;

/**
 * Registers transaction hashes, which help to find a launch and prove nothing
 * (docs/reference/multi-role.md#transaction-hints).
 */
@Injectable()
export class HintService {
  constructor(
    private readonly launches: ReadLaunchService,
    @Inject(HintRepository) private readonly hints: Pick<HintRepository, 'register'>,
    @Inject(LaunchRelayService) private readonly relay: Pick<LaunchRelayService, 'deliverHint'>,
  ) {}

  /**
   * Records any hash: one of another launch has no effect, and a repeated one changes nothing. The route, the body and
   * the launch's own context must have the same generation.
   * @throws ApiError `HINT_NOT_READY` before a hand-off exists, `HINT_LIMIT_REACHED` at the 17th distinct hash,
   * `HINT_VERSION_MISMATCH` for another finality generation.
   */
  async register(
    caller: Caller,
    id: string,
    bytes: Uint8Array,
    generation: 'v2' | 'v3',
  ): Promise<TransactionHintReceipt | TransactionHintReceiptV3> {
    const launchId = launchIdFrom(id);
    const body = readCanonicalJson(bytes);
    if (isOtherGeneration(body, generation))
      throw refusal('HINT_VERSION_MISMATCH', '/schemaVersion', { expected: versionOf(generation) });
    const { transactionHash } =
      generation === 'v3' ? readSchema(transactionHintV3Schema, body) : readSchema(transactionHintSchema, body);
    const launch = await this.launches.find(caller, launchId);
    const statusUrl = statusUrlOf(launchId);
    if (launch.generation !== generation) throw new ApiError('HINT_VERSION_MISMATCH', { statusUrl });
    if (launch.handoff === null) throw new ApiError('HINT_NOT_READY', { statusUrl });
    const outcome = await this.hints.register(launchId, transactionHash);
    if (outcome.kind === 'full') throw new ApiError('HINT_LIMIT_REACHED', { statusUrl });
    if (outcome.kind === 'registered') void this.relay.deliverHint(launchId, transactionHash);
    const receipt = {
      launchId,
      transactionHash,
      registeredAt: outcome.registeredAt.toISOString(),
      assertsInclusion: false,
    } as const;
    return generation === 'v3'
      ? {
          ...receipt,
          schemaVersion: 'service.multi-role-transaction-hint-receipt.v3',
          contextHash: launch.contextHash,
          statusUrl: `${statusUrl}/finality-v3`,
        }
      : {
          ...receipt,
          schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
          statusUrl: `${statusUrl}/finality`,
        };
  }
}

const versionOf = (generation: 'v2' | 'v3'): string => `service.multi-role-transaction-hint.${generation}`;

/** Returns whether a hint has a known family and another generation than the route's. */
function isOtherGeneration(body: JsonValue, generation: 'v2' | 'v3'): boolean {
  const version = typeof body === 'object' && body !== null && !Array.isArray(body) ? body['schemaVersion'] : undefined;
  return typeof version === 'string' && HINT_GENERATIONS.test(version) && version !== versionOf(generation);
}
