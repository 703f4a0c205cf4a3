import { Injectable } from '@nestjs/common';
import { transactionHintSchema, type TransactionHintReceipt } from '@launch/contracts';
import type { JsonValue } from '@launch/contracts/json';
import type { Caller } from '../credentials/caller.js';
import { ApiError, refusal } from '../http/api.error.js';
import { launchIdFrom } from '../http/path-ids.js';
import { statusUrlOf } from '../launches/launch.resource.js';
import { ReadLaunchService } from '../launches/read-launch.service.js';
import { readCanonicalJson, readSchema } from '../launches/request-reader.js';
import { RelayService } from '../relay/relay.service.js';
import { HintRepository } from './hint.repository.js';

const HINT_GENERATIONS = /^service\.multi-role-transaction-hint\.v[0-9]{1,3}$/;

/** Registers transaction hashes: discovery aids without authority (spec 2, Endpoints). */
@Injectable()
export class HintService {
  constructor(
    private readonly launches: ReadLaunchService,
    private readonly hints: HintRepository,
    private readonly relay: RelayService,
  ) {}

  /**
   * A hash is recorded whatever it names; a foreign one has no effect, a repeated one changes nothing.
   * @throws ApiError `HINT_NOT_READY` before a hand-off exists, `HINT_LIMIT_REACHED` at the 17th distinct hash,
   * `HINT_VERSION_MISMATCH` for another finality generation.
   */
  async register(caller: Caller, id: string, bytes: Uint8Array): Promise<TransactionHintReceipt> {
    const launchId = launchIdFrom(id);
    const body = readCanonicalJson(bytes);
    if (isOtherGeneration(body)) throw refusal('HINT_VERSION_MISMATCH', '/schemaVersion');
    const { transactionHash } = readSchema(transactionHintSchema, body);
    const launch = await this.launches.find(caller, launchId);
    const statusUrl = statusUrlOf(launchId);
    // A marker in the launch's own context, whatever it says, means that V2 is not its generation.
    if (launch.context.profile.derivedContractFinality !== undefined) throw new ApiError('HINT_VERSION_MISMATCH', { statusUrl });
    if (launch.handoff === null) throw new ApiError('HINT_NOT_READY', { statusUrl });
    const outcome = await this.hints.register(launchId, transactionHash);
    if (outcome.kind === 'full') throw new ApiError('HINT_LIMIT_REACHED', { statusUrl });
    if (outcome.kind === 'registered') void this.relay.deliverHint(launchId, transactionHash);
    return {
      schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
      launchId,
      transactionHash,
      registeredAt: outcome.registeredAt.toISOString(),
      assertsInclusion: false,
      statusUrl: `${statusUrl}/finality`,
    };
  }
}

/** A hint of a known family but another generation than this launch's. */
function isOtherGeneration(body: JsonValue): boolean {
  const version = typeof body === 'object' && body !== null && !Array.isArray(body) ? body['schemaVersion'] : undefined;
  return typeof version === 'string' && HINT_GENERATIONS.test(version) && version !== 'service.multi-role-transaction-hint.v2';
}
