import {
  FINALITY_DISCOVERY_MEMBERS,
  HINT_RECEIPT_MEMBERS,
  MULTI_ROLE_FINALITY_MEMBERS,
} from '@launch/client-core/binding';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  type AnyFinalityStatus,
  DERIVED_CONTRACT_FINALITY_V3,
  type FinalityDiscovery,
  finalityDiscoverySchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  MULTI_ROLE_BASE_PATH,
  type TransactionHintReceipt,
  transactionHintReceiptSchema,
  type TransactionHintReceiptV3,
  transactionHintReceiptV3Schema,
} from '@launch/contracts/multi-role';
import { bytes32Schema } from '@launch/contracts/primitives';
import { ClientError } from './client.error.js';
import { readApiKey, readOrigin } from './environment.js';
import { readOriginalLaunch, type OriginalLaunch } from './original-launch.js';
import { boundBy, perform, read, READ_DEADLINE_MS, type PlannedCall } from './planned-call.js';

/** Plans `GET /derived-finality-v3/discovery`. */
export const planDiscovery = (): PlannedCall =>
  read('/derived-finality-v3/discovery', finalityDiscoverySchema, boundBy(FINALITY_DISCOVERY_MEMBERS, undefined), true);

/** Requires that discovery names the original's marker: another service's V3 may differ. */
const requireSamePolicy = (): PlannedCall => ({
  ...planDiscovery(),
  check: (value) => [
    ...planDiscovery().check(value),
    ...((value as FinalityDiscovery).selection.policyV3 === DERIVED_CONTRACT_FINALITY_V3
      ? []
      : ['/selection/policyV3']),
  ],
});

/** Plans the read of a launch's finality by its original response. Refuses an answer for another launch or context. */
export function planFinality(original: OriginalLaunch): PlannedCall {
  const { launchId, onchainLaunchId, contextHash } = original;
  const check = boundBy(MULTI_ROLE_FINALITY_MEMBERS, { launchId, onchainLaunchId, contextHash });
  if (original.generation === 'v2') return read(`/${launchId}/finality`, finalityStatusSchema, check);
  return {
    ...read(`/${launchId}/finality-v3`, finalityStatusV3Schema, check),
    first: requireSamePolicy(),
  };
}

/** Plans a transaction hint by the original response. */
export function planHint(
  original: Pick<OriginalLaunch, 'launchId' | 'generation'> & Partial<OriginalLaunch>,
  transactionHash: string,
): PlannedCall {
  const { launchId, generation, contextHash } = original;
  const isV3 = generation === 'v3';
  return {
    method: 'POST',
    path: `${MULTI_ROLE_BASE_PATH}/${launchId}/transaction-hints${isV3 ? '-v3' : ''}`,
    isPublic: false,
    body: new Uint8Array(
      canonicalizeJson({ schemaVersion: `service.multi-role-transaction-hint.${generation}`, transactionHash }),
    ),
    deadlineMs: READ_DEADLINE_MS,
    statuses: [202],
    schema: isV3 ? transactionHintReceiptV3Schema : transactionHintReceiptSchema,
    check: boundBy(HINT_RECEIPT_MEMBERS, { launchId, transactionHash, contextHash }),
    ...(isV3 ? { first: requireSamePolicy() } : {}),
  };
}

/** The service and the key of a library call. */
export interface RecoveryService {
  /** HTTPS origin of the service. */
  readonly origin: string;
  readonly apiKey: string;
  /** Milliseconds for the whole call. Defaults to 30 s. */
  readonly deadlineMs?: number;
}

/**
 * Reads a launch's finality by the bytes of its original response, in the generation that response's context selects.
 * @throws {ClientError} for an original that contradicts itself, an answer for another launch, a refusal or the network.
 */
export async function recoverFinality(service: RecoveryService, original: Uint8Array): Promise<AnyFinalityStatus> {
  return (await perform(planFinality(readOriginalLaunch(original)), checked(service))).value as AnyFinalityStatus;
}

/** Names a transaction hash for a launch by the bytes of its original response. @throws {ClientError} as `recoverFinality`. */
export async function recoverTransactionHint(
  service: RecoveryService,
  original: Uint8Array,
  transactionHash: string,
): Promise<TransactionHintReceipt | TransactionHintReceiptV3> {
  if (!bytes32Schema.safeParse(transactionHash).success) {
    throw new ClientError('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID', {
      findings: [{ path: 'transactionHash', message: 'is not 0x and 64 lowercase hex digits' }],
    });
  }
  return (await perform(planHint(readOriginalLaunch(original), transactionHash), checked(service))).value as
    | TransactionHintReceipt
    | TransactionHintReceiptV3;
}

/** Applies the rules of the environment: a key is never sent to a plain HTTP origin. */
const checked = ({ origin, apiKey, deadlineMs }: RecoveryService) => ({
  origin: readOrigin({ SERVICE_API_BASE_URL: origin }),
  apiKey: readApiKey({ SERVICE_API_KEY: apiKey }),
  deadlineMs,
});
