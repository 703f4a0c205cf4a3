import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from '@launch/contracts/primitives';
import { planOf } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-corpus.fixture.js';
import { bodyBytes } from '../../../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { KEY_KINDS, type KeyKind } from '../../../core/accounts/credentials/caller.js';
import { MODULE_SCOPES, SCOPES, type Scope } from '../../../core/routes/scopes.js';
import { call, newKey, type Answer } from '../../../fixtures/http.client.js';
import { getPlans, PLANS_PATH } from '../../../fixtures/plan-owner.fixture.js';
import { startCustomLaunchGateway, type CustomLaunchGateway } from '../../../fixtures/custom-launch-gateway.js';
import { freshCustomLaunch, CUSTOM_LAUNCH_WALLET } from '../../../fixtures/custom-launch-request.js';

const OTHER_WALLETS: readonly Hex[] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];

let gateway: CustomLaunchGateway;
/** A launch and a plan of the wallet, made by another lineage. */
let foreign: { readonly launchId: string; readonly planId: string };
beforeAll(async () => {
  gateway = await startCustomLaunchGateway();
  const [launch, plan] = [await gateway.create(bodyBytes(freshCustomLaunch())), await createPlan(gateway.key)];
  foreign = { launchId: launch.json.launchId, planId: plan.json.planId };
});
afterAll(() => gateway.close());

interface Held {
  readonly scopes: readonly Scope[];
  readonly chains: readonly string[];
  readonly wallet: Hex;
}

/** Issues a key; a partner has one more wallet. */
const keyOf = async (kind: KeyKind, { scopes, chains, wallet }: Held): Promise<string> => {
  const terms = { scopes, chains, label: null, expiresAt: null };
  const binding =
    kind === 'wallet'
      ? { controller: wallet }
      : { kind: 'partner' as const, allowedControllers: [OTHER_WALLETS[1]!, wallet] };
  return (await gateway.credentials.issue({ ...terms, ...binding })).key;
};

const freshPlan = (): Uint8Array => bodyBytes(planOf(freshCustomLaunch(), 'sequential'));
const postPlans = (path: string, key: string, body: Uint8Array | string): Promise<Answer> =>
  call(`${gateway.url}${PLANS_PATH}${path}`, { key, body, headers: { 'idempotency-key': newKey() } });
const createPlan = (key: string): Promise<Answer> => postPlans('', key, freshPlan());
const PROOF = JSON.stringify({
  schemaVersion: 'service.custom-launch-plan-step-proof.v1',
  transactionHash: `0x${'1'.repeat(64)}`,
});

/** Returns the status of an answer, with the codes of all findings. */
function outcomeOf({ status, json }: Answer): string {
  const found: readonly { readonly code: string }[] = json.error ? [json.error] : (json.errors ?? json.findings ?? []);
  return [status, ...found.map(({ code }) => code)].join(' ');
}

/** Returns the outcome of each operation for a key, which reads its own resources or else those of another. */
async function allOutcomes(
  key: string,
): Promise<{ readonly v4: readonly string[]; readonly plans: readonly string[] }> {
  const launch = await gateway.create(bodyBytes(freshCustomLaunch()), newKey(), key);
  const plan = await createPlan(key);
  const launchId = launch.json.launchId ?? foreign.launchId;
  const planId = plan.json.planId ?? foreign.planId;
  const v4 = [
    await gateway.preflight(bodyBytes(freshCustomLaunch()), key),
    launch,
    await call(gateway.urlOf(), { key }),
    await call(gateway.urlOf(`/${launchId}`), { key }),
  ];
  const plans = [
    await postPlans(':preflight', key, freshPlan()),
    plan,
    await getPlans(gateway, '', key),
    await getPlans(gateway, `/${planId}`, key),
    await postPlans(`/${planId}/steps/deploy-token/proofs`, key, PROOF),
  ];
  return { v4: v4.map(outcomeOf), plans: plans.map(outcomeOf) };
}

const whole: Held = { scopes: SCOPES, chains: ['4663'], wallet: CUSTOM_LAUNCH_WALLET };
/** Custom launches: preflight, create, list, detail. Plans: the same, and a proof of a step that is not offered yet. */
const refusedAll = (code: string) => ({
  v4: Array<string>(4).fill(`403 ${code}`),
  plans: Array<string>(5).fill(`401 ${code}`),
});
const [NO_SCOPE, NO_PLAN_SCOPE] = ['403 INSUFFICIENT_SCOPE', '401 INSUFFICIENT_SCOPE'];
const KEYS: readonly [string, Held, Awaited<ReturnType<typeof allOutcomes>>][] = [
  [
    'scopes, grant and wallet',
    whole,
    { v4: ['200', '202', '200', '200'], plans: ['200', '202', '200', '200', '422 STEP_NOT_READY'] },
  ],
  [
    'the scope of creates alone',
    { ...whole, scopes: ['custom-launch:create'] },
    {
      v4: ['200', '202', NO_SCOPE, NO_SCOPE],
      plans: ['200', '202', NO_PLAN_SCOPE, NO_PLAN_SCOPE, '422 STEP_NOT_READY'],
    },
  ],
  [
    'the scope of reads alone',
    { ...whole, scopes: ['custom-launch:read'] },
    {
      v4: [NO_SCOPE, NO_SCOPE, '200', '404 NOT_FOUND'],
      plans: [NO_PLAN_SCOPE, NO_PLAN_SCOPE, '200', '422 PLAN_NOT_FOUND', NO_PLAN_SCOPE],
    },
  ],
  ['no scope', { ...whole, scopes: [] }, refusedAll('INSUFFICIENT_SCOPE')],
  ['the scopes of modules alone', { ...whole, scopes: MODULE_SCOPES }, refusedAll('INSUFFICIENT_SCOPE')],
  ['no grant of the chain', { ...whole, chains: [] }, refusedAll('CHAIN_NOT_ALLOWED')],
  [
    'another wallet',
    { ...whole, wallet: OTHER_WALLETS[0]! },
    {
      v4: ['403 WALLET_BINDING_MISMATCH', '403 WALLET_BINDING_MISMATCH', '200', '404 NOT_FOUND'],
      plans: [
        '200 WALLET_BINDING_MISMATCH',
        '422 WALLET_BINDING_MISMATCH',
        '200',
        '422 PLAN_NOT_FOUND',
        '422 PLAN_NOT_FOUND',
      ],
    },
  ],
];

describe.each(KEY_KINDS)('A key of a %s, at each route of custom launches and plans,', (kind) => {
  it.each(KEYS)('with %s gets the refusal for its missing grant alone', async (_what, held, expected) => {
    const before = await gateway.countOf('launch');
    expect(await allOutcomes(await keyOf(kind, held))).toEqual(expected);
    const made = [...expected.v4, ...expected.plans].filter((one) => one === '202').length;
    expect((await gateway.countOf('launch')) - before).toBe(made);
  });
});
