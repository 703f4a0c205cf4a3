import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CUSTOM_LAUNCHES_PATH,
  customLaunchErrorBodySchema,
  customLaunchListSchema,
  customLaunchPreflightSchema,
  customLaunchResourceSchema,
} from '@launch/contracts/custom-launch';
import { canonicalJsonText } from '@launch/contracts/json';
import { LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import type { Scope } from '../../../core/routes/scopes.js';
import { call, codeOf as plainCodeOf, newKey, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { requestBytes, testRequest } from '../../../fixtures/test-request.js';
import { customLaunchHandoff } from '../../../fixtures/custom-launch.fixture.js';
import { detailedFindings } from '../../../fixtures/detailed-findings.js';
import { startCustomLaunchGateway, type CustomLaunchGateway } from '../../../fixtures/custom-launch-gateway.js';
import {
  freshCustomLaunch,
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
  withoutBuy,
} from '../../../fixtures/custom-launch-request.js';

let gateway: CustomLaunchGateway;
/** Returns the code of an answer, after checking that its findings are complete. */
function codeOf(answer: Answer): string {
  detailedFindings(answer);
  return plainCodeOf(answer);
}
beforeAll(async () => {
  gateway = await startCustomLaunchGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.settle());
const issue = (scopes: readonly Scope[], controller: string = CUSTOM_LAUNCH_WALLET) =>
  gateway.issueKey(scopes, controller);
const created = async (
  body = bodyBytes(freshCustomLaunch()),
): Promise<{ launchId: string; idempotencyKey: string }> => {
  const idempotencyKey = newKey();
  const answer = await gateway.create(body, idempotencyKey);
  expect([answer.status, codeOf(answer)]).toEqual([202, expect.stringContaining('202')]);
  return { launchId: answer.json.launchId, idempotencyKey };
};

describe('A create', () => {
  it('is durable before it is answered: the bytes as sent, the launch, its admission', async () => {
    const { schemaVersion, ...rest } = freshCustomLaunch();
    const body = Buffer.from(`  ${JSON.stringify({ ...rest, schemaVersion }, null, 2)}\n`);
    const answer = await gateway.create(body);
    expect([answer.status, codeOf(answer)]).toEqual([202, expect.stringContaining('202')]);
    const resource = customLaunchResourceSchema.parse(answer.json);
    expect(resource).toMatchObject({
      status: 'admitting',
      profile: '4.1.0',
      launchWallet: CUSTOM_LAUNCH_WALLET,
      handoff: null,
      failure: null,
      transactions: [],
      finality: { stage: 'pending', observation: null },
      sourceVerification: { status: 'pending' },
      publication: { status: 'not_published' },
      budgets: rest.budgets,
    });
    expect(resource.sourceVerification.components.map(({ componentId }) => componentId)).toEqual(
      rest.graphBundle.components.map(({ componentId }) => componentId),
    );
    expect([answer.headers.get('location'), answer.headers.has('idempotency-replayed')]).toEqual([
      resource.links.statusUrl,
      false,
    ]);
    expect(Buffer.from(await gateway.blobs.get(resource.requestSha256)).equals(body)).toBe(true);
    expect((await call(`${gateway.url}${resource.links.self}`, { key: gateway.key })).json).toEqual(answer.json);
    expect(gateway.workflows.admissions).toContain(resource.launchId);
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({
      ref: { launchId: resource.launchId, family: 'custom-launch.v4', contextHash: CUSTOM_LAUNCH_CONTEXT_HASH },
    });
  });

  it('is accepted once when sixteen identical ones arrive together', async () => {
    const [body, idempotencyKey] = [bodyBytes(freshCustomLaunch()), newKey()];
    const answers = await Promise.all(Array.from({ length: 16 }, () => gateway.create(body, idempotencyKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(15).fill(200), 202]);
    expect(new Set(answers.map(({ json }) => json.launchId)).size).toBe(1);
    const location = `${CUSTOM_LAUNCHES_PATH}/${answers[0]!.json.launchId}`;
    for (const { status, headers } of answers)
      expect([headers.get('location'), headers.get('idempotency-replayed')]).toEqual([
        location,
        status === 200 ? 'true' : null,
      ]);
  });

  it('is counted together with launches of the other family toward the unfinished launches of a lineage', async () => {
    const narrow = await startCustomLaunchGateway({ beside: gateway, limits: { unfinishedLaunches: 1 } });
    try {
      const own = await narrow.issueKey(['custom-launch:create'], CUSTOM_LAUNCH_WALLET);
      const send = (base: string, body: Uint8Array) =>
        call(base, { key: own.key, body, headers: { 'idempotency-key': newKey() } });
      expect((await send(`${narrow.urlOf()}`, bodyBytes(freshCustomLaunch()))).status).toBe(202);
      const second = testRequest({
        nonce: '77',
        change: (request) => void (request.launchWallet = CUSTOM_LAUNCH_WALLET),
      });
      expect(codeOf(await send(narrow.base, requestBytes(second)))).toBe('RATE_LIMITED');
    } finally {
      await narrow.close();
    }
  });
});

describe('A create with a fault of form', () => {
  it('returns 422 with a finding for each malformed member and binds no key', async () => {
    const launches = await gateway.countOf('launch');
    const idempotencyKey = newKey();
    const faulty = freshCustomLaunch((one) => (one.funding.totalValueWei = '1'));
    const answer = await gateway.create(bodyBytes(faulty), idempotencyKey);
    const { error } = customLaunchErrorBodySchema.parse(answer.json);
    expect([answer.status, error.findings.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      422,
      expect.arrayContaining(['FUNDING_TOTAL_MISMATCH /funding/totalValueWei']),
    ]);
    expect([
      await gateway.countOf('launch'),
      (await gateway.create(bodyBytes(freshCustomLaunch()), idempotencyKey)).status,
    ]).toEqual([launches, 202]);
  });

  it.each<[string, (request: any) => void, string]>([
    ['modules', (one) => (one.moduleSelections = [{ familyId: 'a', version: '1' }]), 'CUSTOM_LAUNCH_EVIDENCE_REQUIRED'],
    ['no buy', withoutBuy, 'FUNDING_PROFILE_MISMATCH'],
    [
      'another profile',
      (one) => {
        Object.assign(one, { schemaVersion: 'service.custom-launch-create-request.v4.0', profile: '4.0.0' });
        withoutBuy(one);
      },
      'PROFILE_NOT_CURRENT',
    ],
  ])('returns the code of its fault: %s', async (_fault, change, code) => {
    const answer = await gateway.create(bodyBytes(freshCustomLaunch(change)), newKey());
    expect([answer.status, plainCodeOf(answer)]).toEqual([422, code]);
  });

  it('returns 413 before the body is complete when it is one byte larger than 16 MiB', async () => {
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': newKey(),
      'content-length': String(LIMITS.requestBytes + 1),
    };
    const answer = await rawCall(gateway.url, { method: 'POST', path: CUSTOM_LAUNCHES_PATH, headers });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });
});

describe('The chain checks of a create', () => {
  it('allow one launch for each nonce', async () => {
    const body = freshCustomLaunch();
    await created(bodyBytes(body));
    expect(codeOf(await gateway.create(bodyBytes(body)))).toBe('NONCE_IN_USE');
  });
});

describe('A launch', () => {
  it('is readable by its lineage, on the routes of its family only', async () => {
    const { launchId } = await created();
    const multiRole = await call(gateway.base, {
      key: gateway.key,
      body: requestBytes(
        testRequest({ nonce: '78', change: (request) => void (request.launchWallet = CUSTOM_LAUNCH_WALLET) }),
      ),
      headers: { 'idempotency-key': newKey() },
    });
    const other = await issue(['custom-launch:read']);
    const codes = await Promise.all(
      [
        call(gateway.urlOf(`/${launchId}`), { key: other.key }),
        call(gateway.urlOf(`/${multiRole.json.launchId}`), { key: gateway.key }),
        call(`${gateway.base}/${launchId}`, { key: gateway.key }),
        call(`${gateway.base}/${launchId}/finality`, { key: gateway.key }),
        call(gateway.urlOf('/6a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3'), { key: gateway.key }),
        call(gateway.urlOf('/nonsense'), { key: gateway.key }),
      ].map(async (answer) => [(await answer).status, codeOf(await answer)]),
    );
    expect(codes).toEqual(codes.map(() => [404, 'NOT_FOUND']));
    const idsOf = async (base: string) =>
      ((await call(`${base}?limit=25`, { key: gateway.key })).json.items as { launchId: string }[]).map(
        (one) => one.launchId,
      );
    expect(await idsOf(gateway.base)).toEqual([multiRole.json.launchId]);
    expect(await idsOf(gateway.urlOf())).not.toContain(multiRole.json.launchId);
  });

  it('is listed in pages of ten, newest first, by cursors of this list and lineage', async () => {
    const own = await issue(['custom-launch:create', 'custom-launch:read']);
    const made: string[] = [];
    for (let at = 0; at < 12; at += 1)
      made.unshift((await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), own.key)).json.launchId as string);
    const page = async (query: string) =>
      customLaunchListSchema.parse((await call(gateway.urlOf(query), { key: own.key })).json);
    const first = await page('');
    const rest = await page(`?limit=10&cursor=${first.nextCursor}`);
    expect([first.items.length, rest.nextCursor]).toEqual([10, null]);
    expect([...first.items, ...rest.items].map(({ launchId }) => launchId)).toEqual(made);
    for (const [base, as] of [
      [gateway.urlOf(), gateway.key],
      [gateway.base, own.key],
    ] as const)
      expect(plainCodeOf(await call(`${base}?cursor=${first.nextCursor}`, { key: as }))).toBe('CURSOR_INVALID');
    for (const query of ['limit=0', 'limit=01', 'limit=26', 'limit=1&limit=1', 'offset=1']) {
      const answer = await call(gateway.urlOf(`?${query}`), { key: gateway.key });
      expect([answer.status, plainCodeOf(answer)]).toEqual([400, 'QUERY_INVALID']);
    }
  });
});

describe('A list of waiting launches', () => {
  /** The longest calldata of a hand-off. */
  const CALLDATA = `0x${'5a'.repeat(128 * 1024)}` as const;

  it('links the hand-offs of 25 launches with the largest calldata, and is far smaller than one of them', async () => {
    const own = await issue(['custom-launch:create', 'custom-launch:read']);
    for (let at = 0; at < LIMITS.listMax; at += 1) {
      const { json } = await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), own.key);
      const { launchId, launchWallet: from, requestSha256, onchainLaunchId } = customLaunchResourceSchema.parse(json);
      const row = {
        ...{ launchId, requestSha256, onchainLaunchId, controller: from, router: from, imageSha256: requestSha256 },
        ...{ requestHash: onchainLaunchId, artifactHash: onchainLaunchId, contextHash: CUSTOM_LAUNCH_CONTEXT_HASH },
      };
      const walletTransaction = { from, to: from, chainId: '4663', value: '1', data: CALLDATA } as const;
      const handoff = customLaunchHandoff(row, { walletTransaction });
      const text = canonicalJsonText(handoff);
      await gateway.rewrite(launchId, {
        status: 'awaiting_wallet_signature',
        handoff: text,
        handoff_sha256: sha256Digest(Buffer.from(text)),
      });
    }
    const page = await call(gateway.urlOf(`?limit=${LIMITS.listMax}`), { key: own.key });
    expect(page.text.length).toBeLessThan(128 * 1024);
    const { items } = customLaunchListSchema.parse(page.json);
    expect(items).toHaveLength(LIMITS.listMax);
    for (const { handoffUrl, launchId, links } of items.slice(0, 3)) {
      expect(handoffUrl).toBe(links.self);
      const read = customLaunchResourceSchema.parse((await call(`${gateway.url}${handoffUrl}`, { key: own.key })).json);
      expect([read.launchId, read.handoff?.walletTransaction.data]).toEqual([launchId, CALLDATA]);
    }
  });

  it('links no hand-off of a launch whose own read shows none', async () => {
    const { launchId } = await created();
    const { items } = customLaunchListSchema.parse((await call(gateway.urlOf(), { key: gateway.key })).json);
    expect(items.find((one) => one.launchId === launchId)?.handoffUrl).toBeNull();
  });
});

describe('A preflight', () => {
  const read = async (request = freshCustomLaunch()) => {
    const answer = await gateway.preflight(bodyBytes(request));
    expect([answer.status, codeOf(answer)]).toEqual([200, expect.stringContaining('200')]);
    return customLaunchPreflightSchema.parse(answer.json);
  };

  it('of the reviewed launch is deployable, rehearses nothing and stores nothing', async () => {
    const before = [
      await gateway.countOf('launch'),
      await gateway.countOf('nonce_reservation'),
      await gateway.countOf('idempotency_record'),
    ];
    const request = freshCustomLaunch();
    const preflight = await read(request);
    expect(preflight).toMatchObject({ classification: 'deployable', checkpoint: request.checkpoint, persisted: false });
    expect(gateway.workflows.inputs.at(-1)).toMatchObject({
      ref: { launchId: null, family: 'custom-launch.v4', contextHash: CUSTOM_LAUNCH_CONTEXT_HASH },
    });
    expect([
      await gateway.countOf('launch'),
      await gateway.countOf('nonce_reservation'),
      await gateway.countOf('idempotency_record'),
    ]).toEqual(before);
    await expect(gateway.blobs.get(preflight.requestSha256)).rejects.toMatchObject({ code: 'BLOB_ABSENT' });
  });
});

describe('Closed gates', () => {
  it('refuse new requests before they are read, while replays and reads continue', async () => {
    const body = bodyBytes(freshCustomLaunch());
    const { launchId, idempotencyKey } = await created(body);
    await gateway.setGates(false);
    try {
      for (const answer of [
        await gateway.create(bodyBytes(freshCustomLaunch())),
        await gateway.preflight(bodyBytes(freshCustomLaunch())),
        await gateway.create('{'),
      ]) {
        const { error } = customLaunchErrorBodySchema.parse(answer.json);
        expect([answer.status, error.code, error.retryable, answer.headers.get('retry-after')]).toEqual([
          503,
          'LAUNCH_GATES_CLOSED',
          false,
          null,
        ]);
        expect([error.statusUrl, error.findings[0]?.actual]).toEqual([
          '/.well-known/custom-launch.json',
          'PUBLIC_AUTHORIZATION_CLOSED, PUBLIC_WRITES_CLOSED, RELEASE_NOT_DECLARED_READY',
        ]);
      }
      expect((await gateway.create(body, idempotencyKey)).status).toBe(200);
      expect((await call(gateway.urlOf(`/${launchId}`), { key: gateway.key })).status).toBe(200);
      expect((await call(gateway.urlOf(), { key: gateway.key })).status).toBe(200);
    } finally {
      await gateway.setGates(true);
    }
    expect((await gateway.create(bodyBytes(freshCustomLaunch()))).status).toBe(202);
  });
});
