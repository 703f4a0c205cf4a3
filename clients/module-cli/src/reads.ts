import {
  moduleCapabilitiesSchema,
  moduleReceiptSchema,
  moduleReviewCapabilitiesSchema,
  moduleReviewStatusSchema,
  moduleSubmissionListSchema,
  type ModuleCapabilities,
} from '@launch/contracts/modules';
import { bindReview, checkList, checkReceipt } from './binding.js';
import { ModuleCliError } from './module-cli.error.js';
import { Receipts, requireEqual } from './receipts.js';
import type { Outcome, World } from './run-module-cli.js';
import { ask, type Call, type Service, type Told } from './service.js';
import { readKey, readService, readUuid, type Options } from './settings.js';

const ROOT = '/v1/modules';
export const SUBMISSIONS = `${ROOT}/submissions`;
const DEFAULT_RECEIPTS = '.service-modules';

export const receiptsOf = (options: Options): Receipts => new Receipts(options['receipts'] ?? DEFAULT_RECEIPTS);

/** Reads the service's capabilities without a key, before anything else is sent. */
export const capabilitiesOf = (service: Service): Promise<Told<ModuleCapabilities>> =>
  ask(service, {
    ...read(`${ROOT}/capabilities`),
    schema: moduleCapabilitiesSchema,
    responseCode: 'MODULE_API_RESPONSE',
  });

const read = (path: string): Pick<Call<unknown>, 'method' | 'path' | 'statuses'> => ({
  method: 'GET',
  path,
  statuses: [200],
});

const told = ({ status, json }: Told<unknown>, receiptBound: boolean | null): Outcome => ({
  httpStatus: status,
  replayed: null,
  receiptBound,
  resource: json,
});

export async function readCapabilities(options: Options, world: World): Promise<Outcome> {
  return told(await capabilitiesOf(readService(options, world)), null);
}

export async function readReviewCapabilities(options: Options, world: World): Promise<Outcome> {
  const answer = await ask(readService(options, world), {
    ...read(`${ROOT}/review-capabilities`),
    schema: moduleReviewCapabilitiesSchema,
    responseCode: 'MODULE_REVIEW_RESPONSE',
  });
  return told(answer, null);
}

/** Reads the receipt of a submission, which must equal the first one. */
export async function readReceipt(options: Options, world: World): Promise<Outcome> {
  const { service, key, receipts, id } = ownerRead(options, world);
  await requireOperation(service, 'read', 'MODULE_READS_UNAVAILABLE');
  const answer = await ask(service, {
    ...read(`${SUBMISSIONS}/${id}`),
    schema: moduleReceiptSchema,
    responseCode: 'MODULE_API_RESPONSE',
    key,
  });
  if (answer.value.submissionId !== id)
    throw ModuleCliError.own('MODULE_API_RECEIPT_MISMATCH', { path: '/submissionId' });
  checkReceipt(answer.value);
  const kept = receipts.read(id);
  if (kept !== null) requireEqual(kept, { bytes: answer.bytes, receipt: answer.value });
  return told(answer, kept !== null);
}

export async function listSubmissions(options: Options, world: World): Promise<Outcome> {
  const cursor = readUuid(options, 'cursor');
  const service = readService(options, world);
  const key = readKey(world.environment);
  const receipts = receiptsOf(options);
  await requireOperation(service, 'read', 'MODULE_READS_UNAVAILABLE');
  const answer = await ask(service, {
    ...read(`${SUBMISSIONS}${cursor === null ? '' : `?cursor=${cursor}`}`),
    schema: moduleSubmissionListSchema,
    responseCode: 'MODULE_API_RESPONSE',
    key,
  });
  checkList(answer.value, cursor, cursor === null ? null : (receipts.read(cursor)?.receipt ?? null));
  const bound = answer.value.items.map((receipt) => {
    const kept = receipts.read(receipt.submissionId);
    // A receipt within a page has no bytes of its own.
    if (kept !== null) requireEqual(kept, { bytes: kept.bytes, receipt });
    return kept !== null;
  });
  return told(answer, bound.length > 0 && bound.every((one) => one));
}

export async function readReview(options: Options, world: World): Promise<Outcome> {
  const { service, key, receipts, id } = ownerRead(options, world);
  await requireOperation(service, 'reviewStatus', 'MODULE_REVIEW_UNAVAILABLE');
  const answer = await ask(service, {
    ...read(`${SUBMISSIONS}/${id}/review`),
    schema: moduleReviewStatusSchema,
    responseCode: 'MODULE_REVIEW_RESPONSE',
    key,
  });
  const kept = receipts.read(id);
  bindReview(answer.value, id, kept?.receipt ?? null);
  return told(answer, kept !== null);
}

interface OwnerRead {
  readonly service: Service;
  readonly key: string;
  readonly receipts: Receipts;
  readonly id: string;
}

const ownerRead = (options: Options, world: World): OwnerRead => ({
  id: readUuid(options, 'id')!,
  service: readService(options, world),
  key: readKey(world.environment),
  receipts: receiptsOf(options),
});

/** @throws {ModuleCliError} `code` if the service does not offer it now; the key was not sent. */
async function requireOperation(
  service: Service,
  operation: keyof ModuleCapabilities['operations'],
  code: 'MODULE_READS_UNAVAILABLE' | 'MODULE_REVIEW_UNAVAILABLE',
): Promise<void> {
  if (!(await capabilitiesOf(service)).value.operations[operation]) throw ModuleCliError.own(code);
}
