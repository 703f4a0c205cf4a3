import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJsonText } from '@launch/contracts/json';
import { type LaunchContext, type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import type { ErrorBody } from '@launch/contracts/validation';
import {
  freshSource,
  Launcher,
  PATIENCE_MS,
  type HandedOff,
  type PreparedRequest,
} from '../fixtures/launcher.fixture.js';
import { inDatabase } from '../fixtures/stack-databases.fixture.js';
import { recordsOf } from '../fixtures/stack-records.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';
import { codesOf, errorOf } from '../launch-api.js';

const TEST_MS = 2 * PATIENCE_MS;

let stack: E2eStack;
let earlier: Launcher;
let apiKey: string;
let later: LaunchContext;
/**
 * Launches of the earlier release: one finished, one with its wallet, two stopped during admission, one never sent to the API.
 */
let finished: { readonly launch: LaunchResource; readonly request: PreparedRequest; readonly transactionHash: string };
let handedOff: HandedOff;
let beforeCustody: string;
let beforeAdmission: string;
let packed: PreparedRequest;
let answers: Readonly<Record<string, string>>;

async function openReleases(): Promise<void> {
  apiKey = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  earlier = await Launcher.withKey(stack, apiKey);
  const { sourceTree } = earlier.context.profile.runtimeRelease ?? { sourceTree: '0'.repeat(40) };
  const runtimeRelease = {
    schemaVersion: 'service.multi-role-runtime-release-instance.v2' as const,
    sourceCommit: 'b'.repeat(40),
    sourceTree,
  };
  later = { ...earlier.context, profile: { ...earlier.context.profile, runtimeRelease } };
}

/** Returns every answer to the owner and the public about a finalized launch, byte for byte. */
async function answersAbout({ launch, request, transactionHash }: typeof finished): Promise<Record<string, string>> {
  const ask = async (
    route: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<string> => {
    const answer = await fetch(`${stack.gateway}${MULTI_ROLE_BASE_PATH}${route}`, {
      ...(body === undefined ? {} : { method: 'POST', body: Buffer.from(body) }),
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    return `${answer.status} ${await answer.text()}`;
  };
  const hint = JSON.stringify({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash });
  return {
    replay: await ask('', request.bytes, { 'idempotency-key': request.idempotencyKey }),
    status: await ask(`/${launch.launchId}`),
    finality: await ask(`/${launch.launchId}/finality`),
    hint: await ask(`/${launch.launchId}/transaction-hints`, hint),
    record: await ask(`/finalized/${launch.onchainLaunchId}`),
    feed: await ask('/finalized'),
  };
}

/** A release is rolled out over launches in every state, in the order of docs/runbooks/releasing.md. */
export function releaseUpgrade(stackOf: () => E2eStack): void {
  describe('a release over launches of the earlier one', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      await openReleases();
    }, TEST_MS);

    it(
      'begins with launches of the earlier release in every state',
      async () => {
        const request = await earlier.prepare();
        const authorized = await earlier.handedOff(await earlier.create(request));
        const transactionHash = await earlier.send(authorized);
        [handedOff, packed] = [await earlier.authorize(), await earlier.prepare()];
        finished = { launch: await earlier.finalized(authorized.launchId), request, transactionHash };
        answers = await answersAbout(finished);
        expect(Object.entries(answers).map(([name, answer]) => [name, answer.slice(0, 4)])).toEqual(
          Object.keys(answers).map((name) => [name, name === 'hint' ? '202 ' : '200 ']),
        );

        await stack.services.kill('permit-custody', 'SIGTERM', { hold: true });
        beforeCustody = await earlier.create(await earlier.prepare());
        await earlier.api.until(beforeCustody, ({ sourceAssessment }) => sourceAssessment !== null, PATIENCE_MS);
        await stack.services.kill('admission-worker', 'SIGKILL', { hold: true });
        beforeAdmission = await earlier.create(await earlier.prepare({ change: freshSource }));
        for (const launchId of [beforeCustody, beforeAdmission])
          expect(await recordsOf(stack, launchId)).toMatchObject({ decisions: [], signatures: [] });
      },
      TEST_MS,
    );

    it(
      'upgrades custody first: it signs for both releases, and gateways of the earlier one continue beside it',
      async () => {
        const [contextFile, previous] = [
          path.join(stack.dir, 'later-context.json'),
          path.join(stack.dir, 'filed-contexts'),
        ];
        await writeFile(contextFile, canonicalJsonText(later), { mode: 0o600 });
        await mkdir(previous);
        await writeFile(
          path.join(previous, `${canonicalKeccak(earlier.context)}.json`),
          canonicalJsonText(earlier.context),
        );
        await Promise.all([
          stack.restart('permit-custody', { LAUNCH_CONTEXT_FILE: contextFile, PREVIOUS_CONTEXTS_DIR: previous }),
          stack.restart('admission-worker'),
        ]);
        await stack.restart('finality-worker', { LAUNCH_CONTEXT_FILE: contextFile });
        expect(await earlier.authorize()).toMatchObject({
          contextHash: canonicalKeccak(earlier.context),
          wallet: { contextHash: canonicalKeccak(earlier.context) },
        });
        await stack.restart('api-gateway', { LAUNCH_CONTEXT_FILE: contextFile });
        expect(await earlier.api.context()).toEqual(later);
      },
      TEST_MS,
    );

    describe('after the release', () => {
      it(
        'launches stopped during admission reach their hand-off and Ethereum finality with their own context',
        async () => {
          const resumed = [await earlier.handedOff(beforeCustody), await earlier.handedOff(beforeAdmission), handedOff];
          for (const { launchId, wallet, context } of resumed) {
            expect(context).toEqual(earlier.context);
            expect(wallet.contextHash).toBe(canonicalKeccak(earlier.context));
            const { permitDigest } = wallet;
            expect(await recordsOf(stack, launchId)).toMatchObject({
              decisions: [{ kind: 'digest', permitDigest }],
              signatures: [{ permitDigest }],
              handoffs: [{ permitDigest }],
            });
          }
          for (const launch of resumed) await earlier.send(launch);
          for (const { launchId, onchainLaunchId } of resumed) {
            expect((await earlier.finalized(launchId)).finality).toMatchObject({ state: 'ethereum_finalized' });
            expect((await earlier.published(onchainLaunchId)).body.provenance.contextHash).toBe(
              canonicalKeccak(earlier.context),
            );
          }
        },
        TEST_MS,
      );

      it(
        'a request that was packed and not reserved is refused, and the answer asks for a new request',
        async () => {
          const refused = await earlier.replay(packed);
          expect([refused.status, errorOf(refused).code, codesOf(refused)]).toEqual([
            422,
            'CONTEXT_NOT_CURRENT',
            ['CONTEXT_NOT_CURRENT'],
          ]);
          expect((refused.body as ErrorBody).error.findings[0]).toMatchObject({
            path: '/context',
            expected: canonicalKeccak(later),
            actual: canonicalKeccak(earlier.context),
            remediation: { detail: expect.stringContaining('fetch capabilities again') },
          });
          expect(
            await inDatabase(stack, 'launch_gateway', 'SELECT 1 FROM idempotency_record WHERE idempotency_key = $1', [
              packed.idempotencyKey,
            ]),
          ).toEqual([]);
          const launcher = await Launcher.withKey(stack, apiKey);
          expect(await launcher.authorize()).toMatchObject({
            contextHash: canonicalKeccak(later),
            wallet: { contextHash: canonicalKeccak(later) },
          });
        },
        TEST_MS,
      );

      it(
        'the replay, status, hint, finality and record of a finalized launch are the same bytes as before',
        async () => {
          const { feed, ...others } = await answersAbout(finished);
          const { feed: feedBefore, ...before } = answers;
          expect(others).toEqual(before);
          const [itemsNow, itemsBefore] = [feed, feedBefore].map((answer) =>
            (JSON.parse((answer as string).slice(4)) as { items: { apiLaunchId: string }[] }).items.filter(
              ({ apiLaunchId }) => apiLaunchId === finished.launch.launchId,
            ),
          );
          expect(itemsBefore).toHaveLength(1);
          expect(itemsNow).toEqual(itemsBefore);
        },
        TEST_MS,
      );

      it('both releases are kept as they were served', async () => {
        const kept = await inDatabase<{ context_hash: string; document: string }>(
          stack,
          'launch_gateway',
          'SELECT context_hash, document FROM release_context',
          [],
        );
        const documents = new Map(kept.map(({ context_hash: hash, document }) => [hash, document]));
        for (const context of [earlier.context, later])
          expect(documents.get(canonicalKeccak(context))).toBe(canonicalJsonText(context));
      });
    });
  });
}
