import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import type { LaunchResource, PreflightResult } from '@launch/contracts/multi-role';
import type { ErrorBody } from '@launch/contracts/validation';
import { sendFromController } from '@launch/start';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { freshKey, freshNonce, LaunchDesk, seconds } from '../fixtures/launch-desk.fixture.js';
import { forbiddenMode } from '../fixtures/launcher.fixture.js';
import { window, type Change } from '../fixtures/request-changes.fixture.js';
import { inDatabase } from '../fixtures/stack-databases.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { codesOf, errorOf, isTerminal, type Answer, type LaunchApi } from '../launch-api.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const STARTS_WITHIN_MS = 300_000;
const TAKES_MS = 240_000;
const DECIDES_WITHIN_MS = TAKES_MS;

let stack: E2eStack;
let desk: LaunchDesk;
let api: LaunchApi;

const resourceOf = (answer: Answer): LaunchResource => answer.body as LaunchResource;
const statusAndCode = (answer: Answer): [number, string] => [answer.status, errorOf(answer).code];
const hint = (number: number): string =>
  JSON.stringify({
    schemaVersion: 'service.multi-role-transaction-hint.v2',
    transactionHash: `0x${number.toString(16).padStart(64, '0')}`,
  });

/**
 * The product's answers while a part of it is away or broken: killed processes, renamed tables, forged providers. With
 * error-codes.e2e.spec.ts it receives every code of the catalogue that no other test receives.
 */
export function brokenParts(stackOf: () => E2eStack): void {
  describe('while a part of the product is away or broken', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      desk = await LaunchDesk.open(stack);
      api = desk.api;
    }, STARTS_WITHIN_MS);
    afterAll(() => stack?.restart('api-gateway'));

    it('no coin is reported absent while the index does not read the chains', async () => {
      const answer = await api.send('GET', `/api/v2/launches/1/0x${'1'.repeat(40)}`);
      expect(statusAndCode(answer)).toEqual([503, 'INDEX_NOT_CURRENT']);
    });

    it(
      'a disk with less space than the watermark accepts no new request, while replays and reads are answered',
      async () => {
        const bytes = await desk.request();
        const key = freshKey();
        const { launchId } = await desk.reserve(bytes, key);
        await stack.restart('api-gateway', { BLOB_MIN_FREE_BYTES: String(10 ** 14) });
        try {
          expect(statusAndCode(await api.create(await desk.request(), freshKey()))).toEqual([503, 'STORAGE_LOW']);
          expect(statusAndCode(await api.preflight(bytes))).toEqual([503, 'STORAGE_LOW']);
          expect((await api.create(bytes, key)).body).not.toMatchObject({ error: { code: 'STORAGE_LOW' } });
          expect((await api.get(launchId)).launchId).toBe(launchId);
        } finally {
          await stack.restart('api-gateway');
        }
      },
      TAKES_MS,
    );

    describe('a launch that the rehearsal refuses before custody', () => {
      it(
        'is refused for a fault that no provider reported until its window was too short, although preflight omits it, and the nonce becomes free',
        async () => {
          const chains = new ChainFaults(stack);
          await chains.begin({ chain: '4663', observer: 1, faults: { errors: true, methods: ['eth_simulateV1'] } });
          try {
            const nonce = freshNonce();
            const brief: Change = (r) => {
              r.nonce = nonce;
              window(-30n, 70n)(r);
            };
            const preflight = (await api.preflight(await desk.request(brief))) as Answer<PreflightResult>;
            expect([preflight.status, preflight.body]).toMatchObject([
              200,
              { source: { disposition: 'source_supported' }, findings: [] },
            ]);
            const bytes = await desk.request(brief);
            const key = freshKey();
            const { launchId } = await desk.reserve(bytes, key);
            const resource = await api.until(launchId, isTerminal);
            expect(resource).toMatchObject({
              status: 'action_required',
              wallet: null,
              sourceAssessment: { disposition: 'source_supported' },
              findings: [{ code: 'SIMULATION_INDETERMINATE', actual: expect.stringContaining('simulation: ') }],
            });
            const replay = (await api.create(bytes, key)) as Answer<ErrorBody>;
            expect([replay.status, errorOf(replay)]).toMatchObject([
              422,
              { code: 'MULTI_ROLE_EVIDENCE_REQUIRED', findings: resource.findings },
            ]);
            expect(await recordsOf(stack, launchId)).toMatchObject({
              decisions: [{ kind: 'refusal', permitDigest: null }],
              signatures: [],
              nonceHeld: false,
            });
            await chains.endAll();
            expect(
              (
                await desk.authorized(
                  (await desk.reserve(await desk.request((r) => (r.nonce = nonce)), freshKey())).launchId,
                )
              ).wallet,
            ).not.toBeNull();
          } finally {
            await chains.endAll();
          }
        },
        DECIDES_WITHIN_MS,
      );
    });

    describe('while admission is away', () => {
      it(
        'an exact replay is asked to retry, with the original status route, and the launch then gets its one permit',
        async () => {
          await stack.services.kill('admission-worker', 'SIGKILL', { hold: true });
          const bytes = await desk.request();
          const key = freshKey();
          const reserved = await desk.reserve(bytes, key);
          const replay = await desk.api.create(bytes, key);
          const error = errorOf(replay);
          expect({
            status: replay.status,
            retryAfter: replay.headers.get('retry-after'),
            code: error.code,
            retryable: error.retryable,
            statusUrl: error.statusUrl,
          }).toEqual({
            status: 503,
            retryAfter: '1',
            code: 'MULTI_ROLE_ADMISSION_PENDING',
            retryable: true,
            statusUrl: reserved.statusUrl,
          });
          await stack.services.resume('admission-worker');
          const { wallet, launchId } = await desk.authorized(reserved.launchId);
          const again = await desk.api.create(bytes, key);
          expect([again.status, (again.body as LaunchResource).wallet?.permitDigest]).toEqual([
            200,
            wallet!.permitDigest,
          ]);
          expect(await recordsOf(stack, launchId)).toMatchObject({ decisions: [{ kind: 'digest' }] });
        },
        DECIDES_WITHIN_MS,
      );
    });

    describe('a launch in trouble', () => {
      let authorized: LaunchResource;
      const hinted = (body: string, launchId = authorized.launchId): Promise<Answer> =>
        api.send('POST', `${launchId}/transaction-hints`, { body });
      beforeAll(async () => {
        authorized = await desk.authorized((await desk.reserve(await desk.request(), freshKey())).launchId);
      }, TAKES_MS);

      it(
        'ends with SIMULATION_REVERTED when the router refuses the authority’s signature, and no reader sees the permit',
        async () => {
          const chains = new ChainFaults(stack);
          await chains.acceptPermitsFrom(2n ** 63n);
          const { launchId } = await desk.reserve(await desk.request(), freshKey());
          const { status, wallet, findings } = await api.until(launchId, isTerminal);
          expect([status, wallet, findings.map(({ code }) => code)]).toEqual(['failed', null, ['SIMULATION_REVERTED']]);
          await chains.acceptPermitsFrom(0n);
        },
        TAKES_MS,
      );

      it(
        'gets HINT_NOT_READY, PREFLIGHT_PENDING and PERMIT_EXPIRED while admission is away and the window passes',
        async () => {
          await stack.services.kill('admission-worker', 'SIGKILL', { hold: true });
          let deadline = 0n;
          // The earliest permitted end of a window, with a few seconds to send it.
          const brief = await desk.request((r) => {
            deadline = seconds() + 65n;
            r.permitWindow = { ...r.permitWindow, deadline: String(deadline) };
          });
          const { launchId } = await desk.reserve(brief, freshKey());
          expect(statusAndCode(await hinted(hint(1), launchId))).toEqual([422, 'HINT_NOT_READY']);
          const preflight = await api.send('POST', 'preflight', { body: Buffer.from(await desk.request()) });
          expect([...statusAndCode(preflight), errorOf(preflight).retryable]).toEqual([503, 'PREFLIGHT_PENDING', true]);
          while (seconds() <= deadline) await sleep(500);
          await stack.services.resume('admission-worker');
          const { status, wallet, findings } = await api.until(launchId, isTerminal);
          expect([status, wallet, findings.map(({ code }) => code)]).toEqual([
            'action_required',
            null,
            ['PERMIT_EXPIRED'],
          ]);
        },
        2 * TAKES_MS,
      );

      it(
        'gets INTERNAL for an unforeseen fault, without any text of the fault',
        async () => {
          await inDatabase(stack, 'launch_gateway', 'ALTER TABLE transaction_hint RENAME TO mislaid');
          try {
            const answer = await hinted(hint(1));
            expect([...statusAndCode(answer), errorOf(answer).retryable]).toEqual([500, 'INTERNAL', true]);
            expect(JSON.stringify(answer.body)).not.toContain('transaction_hint');
          } finally {
            await inDatabase(stack, 'launch_gateway', 'ALTER TABLE mislaid RENAME TO transaction_hint');
          }
          expect((await hinted(hint(1))).status).toBe(202);
        },
        TAKES_MS,
      );

      it(
        'gets the finding INTERNAL when a step of admission fails five times, and its nonce becomes free',
        async () => {
          const request = await desk.request();
          await inDatabase(stack, 'launch_admission', 'ALTER TABLE source_receipts RENAME TO mislaid');
          try {
            const { launchId } = await desk.reserve(request, freshKey());
            const { status, wallet, findings } = await api.until(launchId, isTerminal);
            expect([status, wallet, findings.map(({ code, actual }) => [code, actual])]).toEqual([
              'action_required',
              null,
              [['INTERNAL', 'issueReceipt: ADMISSION_STEP_FAILED']],
            ]);
            expect(
              await inDatabase(stack, 'launch_gateway', 'SELECT 1 FROM nonce_reservation WHERE launch_id = $1', [
                launchId,
              ]),
            ).toEqual([]);
          } finally {
            await inDatabase(stack, 'launch_admission', 'ALTER TABLE mislaid RENAME TO source_receipts');
          }
          // The same nonce, once the step works again.
          expect((await desk.authorized((await desk.reserve(request, freshKey())).launchId)).wallet).not.toBeNull();
        },
        2 * TAKES_MS,
      );

      it(
        'gets CONTEXT_UNAVAILABLE when no context is configured, while existing launches are still answered',
        async () => {
          const request = await desk.request();
          await stack.restart('api-gateway', { LAUNCH_CONTEXT_FILE: '' });
          for (const answer of [await api.create(request, freshKey()), await api.preflight(request)])
            expect(statusAndCode(answer)).toEqual([503, 'CONTEXT_UNAVAILABLE']);
          expect(await api.get(authorized.launchId)).toMatchObject({
            context: desk.context,
            wallet: authorized.wallet,
          });
          await stack.restart('api-gateway');
        },
        TAKES_MS,
      );
    });

    describe('a restarted gateway', () => {
      /** A reserved request, with everything needed to send it again. */
      interface Sent {
        readonly bytes: Uint8Array;
        readonly key: string;
        readonly resource: LaunchResource;
      }
      /** Handed off and sent; handed off and never sent; refused. */
      let launched: Sent;
      let unsent: Sent;
      let refused: Sent;
      beforeAll(async () => {
        const reserve = async (bytes: Uint8Array): Promise<Sent> => {
          const key = freshKey();
          return { bytes, key, resource: await desk.reserve(bytes, key) };
        };
        const authorized = async (sent: Sent): Promise<Sent> => ({
          ...sent,
          resource: await desk.authorized(sent.resource.launchId),
        });
        launched = await authorized(await reserve(await desk.request()));
        unsent = await authorized(await reserve(await desk.request()));
        refused = await reserve(await desk.request(forbiddenMode));
        refused = { ...refused, resource: await api.until(refused.resource.launchId, isTerminal) };
        await sendFromController(stack.stack, launched.resource.wallet!.walletTransaction);
        await api.until(launched.resource.launchId, ({ finality }) => finality.state !== 'pending');
      }, 2 * TAKES_MS);

      const replays = async (): Promise<{ unsent: Answer; refused: Answer }> => ({
        unsent: await api.create(unsent.bytes, unsent.key),
        refused: await api.create(refused.bytes, refused.key),
      });

      it(
        'with a newer context answers for older launches with their own context, and accepts new ones only in the newer',
        async () => {
          const newer = { ...desk.context, profile: { ...desk.context.profile, profileId: 'development-newer' } };
          const file = path.join(stack.dir, 'newer-context.json');
          await writeFile(file, canonicalJsonText(newer), { mode: 0o600 });
          await stack.restart('api-gateway', { LAUNCH_CONTEXT_FILE: file });
          expect(await api.context()).toEqual(newer);

          const answers = await replays();
          expect([answers.unsent.status, resourceOf(answers.unsent)]).toEqual([
            200,
            await api.get(unsent.resource.launchId),
          ]);
          expect(resourceOf(answers.unsent)).toMatchObject({
            context: desk.context,
            contextHash: unsent.resource.contextHash,
            wallet: unsent.resource.wallet,
          });
          expect([...statusAndCode(answers.refused), errorOf(answers.refused).statusUrl]).toEqual([
            422,
            'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
            refused.resource.statusUrl,
          ]);
          expect(errorOf(answers.refused).findings).toEqual(refused.resource.findings);

          const stale = await api.create(await desk.request(), freshKey());
          expect([...statusAndCode(stale), codesOf(stale)]).toEqual([
            422,
            'CONTEXT_NOT_CURRENT',
            ['CONTEXT_NOT_CURRENT'],
          ]);
          const current = await api.preflight(await desk.request((request) => (request.context = newer)));
          // Accepted, and judged by the current chain: the launch that was sent occupies this one's place.
          expect([current.status, current.body]).toMatchObject([
            200,
            { source: { findingCodes: ['GRAPH_ADDRESS_OCCUPIED'] } },
          ]);
        },
        TAKES_MS,
      );

      it(
        'after the window has passed gives the same answer and revives no permit',
        async () => {
          const later = 'data:text/javascript,const%20now=Date.now;Date.now=()=>now()+7200000';
          await stack.restart('api-gateway', { NODE_OPTIONS: `--import=${later}` });
          const answers = await replays();
          expect([
            answers.unsent.status,
            resourceOf(answers.unsent).launchId,
            resourceOf(answers.unsent).wallet,
          ]).toEqual([200, unsent.resource.launchId, null]);
          expect(errorOf(answers.refused)).toMatchObject({
            code: 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
            statusUrl: refused.resource.statusUrl,
            findings: refused.resource.findings,
          });
          expect(statusAndCode(await api.create(Buffer.from('{}'), unsent.key))).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
          expect(await recordsOf(stack, unsent.resource.launchId)).toMatchObject({
            decisions: [{ permitDigest: unsent.resource.wallet!.permitDigest }],
            signatures: [{ permitDigest: unsent.resource.wallet!.permitDigest }],
          });
          // A launch whose transaction is bound to the chain always keeps its hand-off.
          expect((await api.get(launched.resource.launchId)).wallet).toEqual(launched.resource.wallet);
          // Two hours from its observers' time, the gateway's clock judges no window, so it accepts nothing new.
          const fresh = await api.create(await desk.request(), freshKey());
          expect(statusAndCode(fresh)).toEqual([503, 'SERVICE_UNAVAILABLE']);
        },
        TAKES_MS,
      );
    });
  });
}
