import { describe, expect, it } from '@jest/globals';
import { CUSTOM_LAUNCHES_PATH } from '@launch/contracts/custom-launch';
import { sha256Digest } from '@launch/contracts/primitives';
import { CUSTOM_LAUNCH_STATUSES } from '@launch/contracts/states';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import {
  CUSTOM_LAUNCH_CONTEXT_HASH,
  CUSTOM_LAUNCH_WALLET,
  freshCustomLaunch,
  withoutBuy,
} from '../../../fixtures/custom-launch-request.js';
import { CUSTOM_LAUNCH_CALLER, judgedCustomLaunches, openGates } from '../../../fixtures/judged-custom-launches.js';
import { foundIn, refusalOfWork } from '../../../fixtures/refused.js';
import { storedCustomLaunch } from '../../../fixtures/test-custom-launch.js';
import { CustomLaunchCreation } from './custom-launch.creation.js';

const OTHER_WALLET = `0x${'4'.repeat(40)}` as const;

/** Returns the creation of custom launches; `admit` judges a body as far as its reservation. */
function creations() {
  const judged = judgedCustomLaunches();
  const creation = new CustomLaunchCreation(openGates, judged.judge, null, judged.clock);
  const admit = async (body: Uint8Array | string, caller: Caller = CUSTOM_LAUNCH_CALLER) => {
    const bytes = Buffer.from(body);
    return creation.admit(await creation.judge(bytes, sha256Digest(bytes), caller));
  };
  return { ...judged, creation, admit };
}

describe('The judge of a custom launch', () => {
  it('admits a complete launch with the hashes, the bytes and the context that it is reserved under', async () => {
    const request = freshCustomLaunch();
    const body = bodyBytes(request);
    const { launch, bytes } = await creations().admit(body);
    expect(launch).toMatchObject({
      controller: CUSTOM_LAUNCH_WALLET,
      nonce: request.nonce,
      contextHash: CUSTOM_LAUNCH_CONTEXT_HASH,
      requestSha256: sha256Digest(body),
      deadline: BigInt(request.permitWindow.deadline),
    });
    expect(Buffer.from(bytes).equals(body)).toBe(true);
  });

  it.each<[string, (request: any) => void, string]>([
    [
      'profile 4.0 under 4.1',
      (one) => {
        Object.assign(one, { schemaVersion: 'service.custom-launch-create-request.v4.0', profile: '4.0.0' });
        withoutBuy(one);
      },
      'PROFILE_NOT_CURRENT /profile',
    ],
    ['another context', (one) => (one.contextHash = `0x${'9'.repeat(64)}`), 'CONTEXT_NOT_CURRENT /contextHash'],
    [
      'a window that is over',
      (one) => (one.permitWindow = { validAfter: '1', deadline: '2' }),
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID /permitWindow/deadline',
    ],
    ['no buy', withoutBuy, 'FUNDING_PROFILE_MISMATCH /funding/kind'],
    [
      'a module',
      (one) => (one.moduleSelections = [{ familyId: 'a', version: '1' }]),
      'CUSTOM_LAUNCH_EVIDENCE_REQUIRED /moduleSelections',
    ],
    [
      'an LP fee',
      (one) => (one.graphBundle.officialPool.poolKey.fee = 3_000),
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/fee',
    ],
    [
      'another pair',
      (one) => (one.graphBundle.officialPool.poolKey.currency0 = `0x${'1'.repeat(40)}`),
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/currency0',
    ],
    ['a wrong total', (one) => (one.funding.totalValueWei = '1'), 'FUNDING_TOTAL_MISMATCH /funding/totalValueWei'],
    ['another platform fee', (one) => (one.funding.platformFeeWei = '1'), 'FUNDING_INVALID /funding/platformFeeWei'],
    [
      'too small a budget',
      (one) => (one.budgets.maxLaunchValueWei = '1'),
      'BUDGET_EXCEEDED /budgets/maxLaunchValueWei',
    ],
    ['another image', (one) => (one.projectMetadata.image.width += 1), 'IMAGE_MISMATCH /projectMetadata/image/width'],
    [
      'a contract that is token and hook',
      (one) => (one.graphBundle.components[0].roleMask = 3),
      'SCHEMA_INVALID /graphBundle/components/0/roleMask',
    ],
    ['no pool', (one) => (one.graphBundle.officialPool = null), 'SCHEMA_INVALID /graphBundle/officialPool'],
    ['an unknown member', (one) => (one.more = 1), 'SCHEMA_UNKNOWN_FIELD /more'],
  ])('refuses %s with 422 and the finding that names it', async (_fault, change, expected) => {
    const refused = await refusalOfWork(() => creations().admit(bodyBytes(freshCustomLaunch(change))));
    expect([refused.status, foundIn(refused)]).toEqual([
      422,
      expect.arrayContaining([expect.stringContaining(expected)]),
    ]);
    expect(refused.code).toBe(refused.findings[0]?.code);
  });

  it('reports every fault at once, with the stale checkpoint', async () => {
    const { chain, admit } = creations();
    chain.held = { kind: 'stale', problem: 'TOO_OLD' };
    const request = freshCustomLaunch((one) => {
      one.contextHash = `0x${'9'.repeat(64)}`;
      one.funding.totalValueWei = '1';
    });
    const refused = await refusalOfWork(() => admit(bodyBytes(request)));
    expect([refused.status, refused.findings.map(({ code }) => code)]).toEqual([
      422,
      ['CHECKPOINT_STALE', 'CONTEXT_NOT_CURRENT', 'FUNDING_TOTAL_MISMATCH'],
    ]);
  });

  it.each<[string, string | Buffer, number, string]>([
    ['a duplicate member', '{"a":1,"a":2}', 400, 'JSON_DUPLICATE_KEY'],
    ['data after the value', '{} {}', 400, 'JSON_TRAILING_DATA'],
    ['a byte order mark', '\ufeff{}', 400, 'JSON_SYNTAX'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'JSON_INVALID_UTF8'],
    ['no bytes', '', 400, 'JSON_EMPTY'],
    ['another schema', '{"schemaVersion":"service.custom-launch-plan.v1"}', 422, 'SCHEMA_INVALID'],
  ])('refuses a body of %s', async (_fault, body, status, code) => {
    const refused = await refusalOfWork(() => creations().admit(body));
    expect([refused.status, refused.code]).toEqual([status, code]);
  });

  it('asks for a retry while the checkpoint, the nonce or the clocks cannot be judged', async () => {
    for (const state of [
      { held: { kind: 'indeterminate', reason: 'away' } },
      { agrees: false },
      { clockSeconds: () => null },
    ]) {
      const { chain, admit } = creations();
      Object.assign(chain, state);
      const refused = await refusalOfWork(() => admit(bodyBytes(freshCustomLaunch())));
      expect([refused.status, refused.code, refused.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    }
  });

  it('refuses a nonce that the router has spent, and one that an open launch holds, with 409', async () => {
    for (const hold of ['used', 'reserved'] as const) {
      const { chain, reserved, admit } = creations();
      const request = freshCustomLaunch();
      if (hold === 'used') chain.used.add(`${CUSTOM_LAUNCH_WALLET} ${request.nonce}`);
      else reserved.add(request.nonce);
      const refused = await refusalOfWork(() => admit(bodyBytes(request)));
      expect([refused.status, foundIn(refused)]).toEqual([409, ['NONCE_IN_USE /nonce']]);
    }
  });

  it("accepts each wallet of a partner's key, and refuses every other wallet", async () => {
    const body = bodyBytes(freshCustomLaunch());
    const partner = (...controllers: string[]) => ({ ...CUSTOM_LAUNCH_CALLER, controllers, wallet: null });
    await creations().admit(body, partner(OTHER_WALLET, CUSTOM_LAUNCH_WALLET));
    const refused = await refusalOfWork(() => creations().admit(body, partner(OTHER_WALLET)));
    expect([refused.status, refused.findings[0]]).toMatchObject([
      403,
      { code: 'WALLET_BINDING_MISMATCH', path: '/launchWallet', actual: CUSTOM_LAUNCH_WALLET },
    ]);
  });
});

describe('A replay of a custom launch', () => {
  it.each(CUSTOM_LAUNCH_STATUSES)('that is %s answers its current resource', (status) => {
    const launch = storedCustomLaunch({ status });
    const { creation } = creations();
    const record = { bodySha256: launch.requestSha256, launch };
    expect(creation.replay(record, launch.requestSha256, CUSTOM_LAUNCH_CALLER)).toMatchObject({
      launchId: launch.launchId,
      status,
    });
  });

  it('with other bytes conflicts and names the launch of the key', async () => {
    const launch = storedCustomLaunch();
    const { creation } = creations();
    const record = { bodySha256: launch.requestSha256, launch };
    const sent = sha256Digest(Buffer.from('other bytes'));
    const refused = await refusalOfWork(() => creation.replay(record, sent, CUSTOM_LAUNCH_CALLER));
    expect([refused.status, refused.code, refused.statusUrl]).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
      `${CUSTOM_LAUNCHES_PATH}/${launch.launchId}`,
    ]);
  });
});
