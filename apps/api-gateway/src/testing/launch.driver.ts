import type { LaunchResource } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { call, newKey, type Answer } from './http.client.js';
import type { Harness } from './gateway.harness.js';
import { finalizedFinality, testAssessment, testFindings, testHandoff, testRecord } from './test-documents.js';
import { requestBytes, testRequest } from './test-request.js';
import type { ErrorCode } from '@launch/contracts';

let nonce = 50_000;

/** One launch and the calls that move it on, as its workflows would. */
export interface DrivenLaunch {
  readonly launchId: string;
  readonly created: LaunchResource;
  readonly bytes: Buffer;
  readonly idempotencyKey: string;
  replay(as?: string, bytes?: Uint8Array): Promise<Answer>;
  get(as?: string): Promise<Answer>;
  admitting(): Promise<void>;
  assessed(): Promise<void>;
  refused(nonceReleased: boolean, ...codes: ErrorCode[]): Promise<void>;
  authorized(): Promise<void>;
  finalized(): Promise<void>;
}

/** Reserves a launch of its own nonce and returns its handle. */
export async function reserveLaunch(gateway: Harness, key: string, nowSeconds?: number): Promise<DrivenLaunch> {
  const request = testRequest({ nonce: String((nonce += 1)), ...(nowSeconds === undefined ? {} : { now: nowSeconds }) });
  const bytes = requestBytes(request);
  const idempotencyKey = newKey();
  const send = (as: string, body: Uint8Array): Promise<Answer> => call(gateway.base, { key: as, body, headers: { 'idempotency-key': idempotencyKey } });
  const answer = await send(key, bytes);
  if (answer.status !== 202) throw new Error(`not reserved: ${answer.text}`);
  const created = answer.json as LaunchResource;
  const { launchId } = created;
  const put = async (document: object): Promise<string> => gateway.blobs.put(canonicalizeJson(document));
  const { projections } = gateway;
  return {
    launchId, created, bytes, idempotencyKey,
    replay: (as = key, body = bytes) => send(as, body),
    get: (as = key) => call(`${gateway.url}${created.statusUrl}`, { key: as }),
    admitting: () => projections.recordAdmitting({ launchId }),
    assessed: () => projections.recordAssessment({ launchId, assessment: testAssessment('source_supported'), findings: [] }),
    async refused(nonceReleased, ...codes) {
      await projections.recordAssessment({ launchId, assessment: testAssessment('evidence_required', codes), findings: testFindings(...codes) });
      await projections.recordRefused({ launchId, findings: testFindings(...codes), nonceReleased });
    },
    async authorized() {
      await projections.recordAssessment({ launchId, assessment: testAssessment('source_supported'), findings: [] });
      await projections.recordHandoff({ launchId, handoffSha256: await put(testHandoff(created)) });
    },
    async finalized() {
      await projections.recordFinalized({ launchId, recordSha256: await put(testRecord(created)), finality: finalizedFinality(launchId) });
    },
  };
}
