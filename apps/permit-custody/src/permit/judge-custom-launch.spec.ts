import { describe, expect, it } from '@jest/globals';
import type { CustomLaunchRequest, UsdReferenceDocument } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { CustomLaunchCode } from '@launch/contracts/errors';
import { canonicalizeJson, canonicalJsonText } from '@launch/contracts/json';
import type { PlanRequest } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import { type CustomLaunchBody, launchPermitV1Of } from '@launch/evm';
import { testSeed } from '@launch/testing';
import fc from 'fast-check';
import { customLaunchBody, custodyContext, customLaunchReading } from '../fixtures/custom-launch.fixture.js';
import { forgedValue, placesIn } from '../fixtures/forgery.fixture.js';
import { AUTHORITY, filed, NOW } from '../fixtures/launch.fixture.js';
import { pinCustomLaunchContexts } from '../pinned-contexts.js';
import { judgeCustomLaunch } from './judge-custom-launch.js';

type Body = CustomLaunchRequest | PlanRequest;

const context = custodyContext();
const pinned = pinCustomLaunchContexts(canonicalJsonText(context), [], AUTHORITY);
const launchId = '00000000-0000-4000-8000-000000000001';
const request = customLaunchBody('custom-launch.v4', 7n) as CustomLaunchRequest;
const reading = (bytes: Uint8Array, at = NOW, answer?: bigint): UsdReferenceDocument =>
  customLaunchReading({ launchId, bytes, context }, at, answer);

/** Judges bytes with their own reading. */
const judged = (
  bytes: Uint8Array,
  {
    family = 'custom-launch.v4' as CustomLaunchFamily,
    now = NOW,
    usd = reading(bytes) as UsdReferenceDocument | null,
  } = {},
) => judgeCustomLaunch(family, bytes, pinned, { launchId, nowSeconds: now, usdReference: usd });
const codesOf = (judgement: ReturnType<typeof judged>): CustomLaunchCode[] =>
  'findings' in judgement ? judgement.findings.map(({ code }) => code) : [];
function altered<B extends Body>(body: B, change: (body: B) => void): Uint8Array {
  const copy = structuredClone(body);
  change(copy);
  return canonicalizeJson(copy);
}

describe('Custody’s own judgement', () => {
  it.each(['custom-launch.v4', 'plan.v1'] as const)('accepts the reviewed launch as %s', (family) => {
    const body = customLaunchBody(family, 7n);
    const bytes = canonicalizeJson(body);
    expect(judged(bytes, { family })).toMatchObject({
      kind: 'acceptable',
      request: body,
      requestHash: keccak256Hex(bytes),
      economicsHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  it('accepts any order of members and white space from its client', () => {
    const turned = Object.fromEntries(Object.entries(request).reverse());
    const bytes = new TextEncoder().encode(JSON.stringify(turned, null, 2));
    expect(judged(bytes)).toMatchObject({ kind: 'acceptable', requestHash: keccak256Hex(bytes) });
  });

  it.each([
    [60, []],
    [59, ['CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID']],
    [-1, ['CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID']],
  ])('judges a window with %i seconds left', (left, codes) => {
    const [bytes, now] = [canonicalizeJson(request), NOW + 1_800 - left];
    expect(codesOf(judged(bytes, { now, usd: reading(bytes, now) }))).toEqual(codes);
  });

  it.each<[string, (body: CustomLaunchRequest) => void, CustomLaunchCode]>([
    ['another context', (body) => (body.contextHash = `0x${'9'.repeat(64)}`), 'CONTEXT_NOT_CURRENT'],
    ['sums that do not add up', (body) => (body.funding.totalValueWei = '1'), 'FUNDING_TOTAL_MISMATCH'],
    ['a value above its budget', (body) => (body.budgets.maxLaunchValueWei = '1'), 'BUDGET_EXCEEDED'],
    ['another controller', (body) => (body.launchWallet = `0x${'9'.repeat(40)}`), 'GRAPH_SALT_CONTROLLER_MISMATCH'],
    [
      'a module',
      (body) => body.moduleSelections.push({ familyId: 'm', version: '1' }),
      'CUSTOM_LAUNCH_EVIDENCE_REQUIRED',
    ],
    [
      'another price',
      (body) => (body.graphBundle.officialPool.sqrtPriceX96 = '79228162514264337593543950336'),
      'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION',
    ],
    [
      'another bundle digest',
      (body) => (body.source.bundleSha256 = `sha256:${'9'.repeat(64)}`),
      'SOURCE_BUNDLE_HASH_MISMATCH',
    ],
    [
      'no buy',
      (body) => Object.assign(body.funding, { kind: 'none', initialBuyWei: '0', minimumTokensOut: '0' }),
      'FUNDING_PROFILE_MISMATCH',
    ],
  ])('refuses %s', (_name, change, code) => {
    expect(codesOf(judged(altered(request, change)))).toContain(code);
  });

  it.each([
    ['a repeated member', (text: string) => text.replace('{"', '{"nonce":"8","')],
    ['a missing half', (text: string) => text.slice(0, text.length / 2)],
    ['a trailing character', (text: string) => `${text}0`],
  ])('reads no request from bytes with %s', (_name, spoil) => {
    const spoiled = new TextEncoder().encode(spoil(canonicalJsonText(request)));
    expect(judged(spoiled)).toMatchObject({ kind: 'no-request', findings: [{ code: 'PERMIT_REFUSED' }] });
  });

  it.each(['custom-launch.v4', 'plan.v1'] as const)('accepts no body of the other family as %s', (family) => {
    const other = customLaunchBody(family === 'plan.v1' ? 'custom-launch.v4' : 'plan.v1', 7n);
    expect(judged(canonicalizeJson(other), { family }).kind).toBe('no-request');
  });
});

describe('The price of a buy', () => {
  const bytes = canonicalizeJson(request);
  const good = reading(bytes);
  const forged = (change: (document: UsdReferenceDocument) => void): UsdReferenceDocument => {
    const document = structuredClone(good);
    change(document);
    return document;
  };
  /** At this price the buy of 0.01 is worth exactly one US dollar. */
  const ONE = 10_000_000_000n;

  it.each([
    ['equal to the reference', ONE, 'acceptable'],
    ['below it', ONE - 1n, 'unacceptable'],
  ])('is judged when it is %s', (_name, answer, kind) => {
    const judgement = judged(bytes, { usd: reading(bytes, NOW, answer) });
    expect(judgement.kind).toBe(kind);
    expect(codesOf(judgement)).toEqual(kind === 'acceptable' ? [] : ['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE']);
  });

  it.each<[string, UsdReferenceDocument | null]>([
    ['there is none', null],
    ['it is more than 90 s old', reading(bytes, NOW - 91)],
    ['it is from the future', reading(bytes, NOW + 31)],
    ['it is of another launch', forged((one) => (one.launchId = '00000000-0000-4000-8000-000000000002'))],
    ['it is of another request', forged((one) => (one.requestHash = `0x${'9'.repeat(64)}`))],
    ['it is by another context', forged((one) => (one.contextHash = `0x${'9'.repeat(64)}`))],
    ['its reference does not follow from its answers', forged((one) => (one.oneUsdReferenceWei = '1'))],
    ['its answers are apart', forged((one) => (one.l1Feed.answer = String(2n * BigInt(one.l1Feed.answer))))],
    ['a feed was silent for longer than its heartbeat', forged((one) => (one.l2Feed.updatedAt = String(NOW - 3_901)))],
    ['its decimals are not those of the context', forged((one) => (one.l1Feed.decimals = 9))],
  ])('decides nothing while %s', (_name, usd) => {
    expect(judged(bytes, { usd })).toEqual({ kind: 'price-unread' });
  });

  it('is valid for 90 s', () => {
    expect(judged(bytes, { usd: reading(bytes, NOW - 90) }).kind).toBe('acceptable');
  });

  it('is not needed if another check refuses', () => {
    const wrong = altered(request, (body) => (body.budgets.maxLaunchValueWei = '1'));
    expect(codesOf(judged(wrong, { usd: null }))).toEqual(['BUDGET_EXCEEDED']);
  });
});

describe('A launch of profile 4.0', () => {
  const earlier = custodyContext(({ profile }) => {
    profile.schemaVersion = 'service.custom-launch-profile.v4.0';
  });
  const both = pinCustomLaunchContexts(canonicalJsonText(context), [filed(earlier)], AUTHORITY);
  const { moduleSelections } = request;
  const body = {
    ...request,
    schemaVersion: 'service.custom-launch-create-request.v4.0',
    profile: '4.0.0',
    contextHash: canonicalKeccak(earlier),
    moduleSelections,
  };

  it('is judged by its own context and its own profile, regardless of later ones', () => {
    const judge = (given: object, contexts = both) =>
      judgeCustomLaunch('custom-launch.v4', canonicalizeJson(given), contexts, {
        launchId,
        nowSeconds: NOW,
        usdReference: null,
      });
    // Its schema has no buy.
    expect(judge(body)).toMatchObject({ kind: 'no-request', findings: [{ path: '/funding/kind' }] });
    const unfunded = {
      ...body,
      funding: {
        ...request.funding,
        kind: 'none',
        initialBuyWei: '0',
        minimumTokensOut: '0',
        platformFeeWei: '0',
        totalValueWei: '0',
      },
    };
    expect(codesOf(judge(unfunded, pinned))).toEqual(['CONTEXT_NOT_CURRENT']);
    expect(codesOf(judge({ ...unfunded, contextHash: canonicalKeccak(context) }))).toEqual(['PROFILE_NOT_CURRENT']);
    expect(judge(unfunded).kind).toBe('acceptable');
  });
});

describe('A request with any fields forged', () => {
  it('is judged without a failure, and is accepted only with every bound value unchanged', () => {
    const hashes = { requestHash: `0x${'0'.repeat(64)}`, economicsHash: `0x${'0'.repeat(64)}` } as const;
    const permitOf = (body: CustomLaunchBody, of: CustomLaunchContext) => launchPermitV1Of(body, of, hashes);
    const forgeries = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom('custom-launch.v4' as const, 'plan.v1' as const), forgeries, (family, chosen) => {
        const honest = customLaunchBody(family, 7n);
        const bytes = altered(honest, (body) => {
          for (const [place, choice] of chosen) {
            const places = placesIn(body);
            const [holder, name] = places[place % places.length] as [Record<string, unknown>, string];
            holder[name] = forgedValue(holder[name], choice);
          }
        });
        const judgement = judged(bytes, { family });
        if (judgement.kind === 'price-unread') throw new Error('each is judged by a reading of its own');
        if (judgement.kind !== 'acceptable') {
          expect(judgement.findings).not.toEqual([]);
          return;
        }
        // An accepted forgery changes only values that its launcher may choose or that the chain determines for
        // admission, and the permit contains them.
        const { nonce, permitWindow, externalContracts, funding } = judgement.request;
        const { minimumTokensOut } = funding;
        const mode = 'mode' in judgement.request ? { mode: judgement.request.mode } : {};
        const choices = { nonce, permitWindow, externalContracts, ...mode };
        const expected = {
          ...honest,
          ...choices,
          funding: { ...honest.funding, minimumTokensOut },
        } as CustomLaunchBody;
        expect(permitOf(judgement.request, context)).toEqual(permitOf(expected, context));
      }),
      { seed: testSeed('forged custom launches'), numRuns: 40 },
    );
  });
});
