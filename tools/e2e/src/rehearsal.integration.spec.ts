import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rehearseTransaction, simulatedBlock, type ObserverPair, type RpcObserver } from '@launch/chain';
import { compareExecutions, createSecondExecutor } from '@launch/chain/second-opinion';
import type { LaunchRef, RehearsalVerdict } from '@launch/contracts/orchestration';
import { startDevnet, type Devnet } from '@launch/devnet';
import { KNOWN_ROUTERS, rehearsalOf, type Hex, type RouterStorage } from '@launch/evm';
import { createWalletClient, defineChain, http, keccak256, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createRehearsalService } from '../../../apps/admission-worker/src/rehearsal/rehearse-launch.service.js';
import { createRouterStorageReader } from '../../../apps/admission-worker/src/rehearsal/router-storage.reader.js';
import { multiRoleLaunch, walletTransactionOf } from '../../../apps/admission-worker/src/families/multi-role.launch.js';
import {
  devnetObservers,
  lying,
  signedLaunch,
  type ReferenceLaunch,
  type SignedLaunch,
} from './fixtures/signed-launch.fixture.js';

let devnet: Devnet;
let dir: string;
let l2: ObserverPair;
let window: { validAfter: bigint; deadline: bigint };
let good: SignedLaunch;
let greedy: SignedLaunch;
const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
const TOO_MUCH = 10n ** 30n;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'rehearsal-'));
  devnet = await startDevnet({ dir, keepState: false });
  l2 = devnetObservers(devnet);
  const now = BigInt(Math.floor(Date.now() / 1000));
  window = { validAfter: now - 60n, deadline: now + 1_800n };
  good = await signedLaunch(devnet, 'buy', 1n, window);
  greedy = await signedLaunch(
    devnet,
    'buy',
    2n,
    window,
    (request) => (request.fundingPlan = { ...request.fundingPlan, minimumTokensOut: TOO_MUCH.toString() }),
  );
});
afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

interface Rehearsed {
  readonly observers?: ObserverPair;
  /** Unix seconds of the service's clock; defaults to now. */
  readonly at?: bigint;
  readonly preflight?: true;
}

function rehearse(
  { request, ref, economicsHash }: SignedLaunch,
  { observers = l2, at, preflight }: Rehearsed = {},
): Promise<RehearsalVerdict> {
  const service = createRehearsalService({
    l2: observers,
    secondExecutor: createSecondExecutor(observers),
    storageOf: createRouterStorageReader(observers),
    now: () => (at === undefined ? new Date() : new Date(Number(at) * 1_000)),
  });
  const reserved: LaunchRef = preflight ? ref : { ...ref, launchId: LAUNCH_ID };
  return service.rehearse(multiRoleLaunch(request), reserved, economicsHash);
}

const faults = (id: string, body: unknown): Promise<Response> =>
  fetch(`${devnet.faultsUrl}/faults/4663/${id}`, { method: 'PUT', body: JSON.stringify(body) });
const controllerKey = async (): Promise<Hex> =>
  (await readFile(devnet.controller.privateKeyFile, 'utf8')).trim() as Hex;
function walletOf(of: Devnet, key: Hex) {
  const url = of.rpc['4663'][0]!.url;
  const chain = defineChain({
    id: 4663,
    name: 'launch',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  return createWalletClient({ account: privateKeyToAccount(key), chain, transport: http(url) }).extend(publicActions);
}
const one = (method: string, answer: (params: readonly unknown[], truth: unknown) => unknown): ObserverPair => [
  l2[0],
  lying(l2[1], method, answer),
];
const both = (method: string, answer: (params: readonly unknown[], truth: unknown) => unknown): ObserverPair => [
  lying(l2[0], method, answer),
  lying(l2[1], method, answer),
];
const routerIs =
  (code: string) =>
  (params: readonly unknown[], truth: unknown): unknown =>
    params[0] === good.request.context.chainDeployment.router.address ? code : truth;

describe('a rehearsal', () => {
  it.each<ReferenceLaunch>(['zero', 'buy', 'atlas', 'cedar'])(
    'of a good launch of %s passes',
    async (chosen) => {
      expect(await rehearse(await signedLaunch(devnet, chosen, 3n, window))).toEqual({ kind: 'passed' });
    },
    120_000,
  );

  it('of a launch that asks for more tokens than the pool contains names both numbers', async () => {
    const verdict = await rehearse(greedy);
    expect(verdict).toMatchObject({
      kind: 'reverted',
      findings: [
        {
          code: 'SIMULATION_REVERTED',
          severity: 'error',
          path: '/fundingPlan/minimumTokensOut',
          expected: `at least ${TOO_MUCH} base units of the token from the first buy`,
          actual: expect.stringMatching(
            new RegExp(`^TooFewTokens\\(minimumTokensOut: ${TOO_MUCH}, tokenDelta: [1-9]\\d+\\)$`),
          ),
        },
      ],
    });
    // With exactly the reported amount the launch passes, and with one unit more it reverts.
    const gives = BigInt(/tokenDelta: (\d+)/.exec(JSON.stringify(verdict))![1]!);
    const asking = (minimum: bigint) =>
      signedLaunch(
        devnet,
        'buy',
        4n,
        window,
        (request) => (request.fundingPlan = { ...request.fundingPlan, minimumTokensOut: minimum.toString() }),
      );
    expect(await rehearse(await asking(gives))).toEqual({ kind: 'passed' });
    expect(await rehearse(await asking(gives + 1n))).toMatchObject({ kind: 'reverted' });
  });

  it('passes without funds, which are not a property of the launch', async () => {
    const sender = walletOf(devnet, await controllerKey());
    const balance = await sender.getBalance({ address: sender.account.address });
    await sender.waitForTransactionReceipt({
      hash: await sender.sendTransaction({ to: devnet.platformFeeRecipient as Hex, value: balance - 10n ** 15n }),
    });
    try {
      expect(await sender.getBalance({ address: sender.account.address })).toBeLessThan(
        BigInt(good.request.funding.totalValueWei),
      );
      expect(await rehearse(good)).toEqual({ kind: 'passed' });
    } finally {
      await fetch(`${devnet.faultsUrl}/chains/4663/fund`, {
        method: 'POST',
        body: JSON.stringify({ address: good.request.launchWallet, wei: balance.toString() }),
      });
    }
  });

  it('uses the state of the chain, where a spent nonce reverts', async () => {
    const nonce = 77n;
    const { request, signed } = await signedLaunch(devnet, 'zero', nonce, window);
    const { to, data, value } = walletTransactionOf(request, signed);
    const sender = walletOf(devnet, await controllerKey());
    const receipt = await sender.waitForTransactionReceipt({
      hash: await sender.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value) }),
    });
    expect(receipt.status).toBe('success');
    const again = await signedLaunch(devnet, 'buy', nonce, window);
    expect(await rehearse(again)).toMatchObject({
      kind: 'reverted',
      findings: [{ path: '/nonce', actual: `NonceUsed(controller: ${request.launchWallet}, nonce: ${nonce})` }],
    });
  });

  it.each([
    ['one observer', ['l2-b']],
    ['both observers', ['l2-a', 'l2-b']],
  ])(
    'gives the same result where %s has no eth_simulateV1',
    async (_who, ids) => {
      await Promise.all(ids.map((id) => faults(id, { noSimulate: true })));
      try {
        expect(await rehearse(good)).toEqual({ kind: 'passed' });
        expect(await rehearse(greedy)).toMatchObject({
          kind: 'reverted',
          findings: [{ path: '/fundingPlan/minimumTokensOut' }],
        });
      } finally {
        await Promise.all(ids.map((id) => faults(id, {})));
      }
    },
    60_000,
  );

  it('reveals nothing that it executed', async () => {
    const asked: string[] = [];
    const listening = l2.map((observer) => ({
      ...observer,
      request: (method: string, params: readonly unknown[]) => (
        asked.push(JSON.stringify(params)),
        observer.request(method, params)
      ),
    })) as unknown as ObserverPair;
    const verdict = await rehearse(greedy, { observers: listening });
    const launched = asked.filter((params) =>
      params.includes(greedy.request.graphBundle.components[0]!.creationBytecode.slice(2, 200)),
    );
    expect(launched.length).toBeGreaterThan(0);
    expect(JSON.stringify(verdict)).not.toContain(
      greedy.request.graphBundle.components[0]!.creationBytecode.slice(2, 40),
    );
    expect(Object.keys(verdict)).toEqual(['kind', 'findings']);
  });
});

describe('a second executor', () => {
  const storage: RouterStorage = KNOWN_ROUTERS[0]!;

  it('agrees on an overridden execution, and disagrees on one without its overrides', async () => {
    const at = await simulatedBlock(l2, window);
    if (at.kind !== 'block') throw new Error(at.kind);
    const execute = createSecondExecutor(l2);
    for (const launch of [good, greedy]) {
      const { transaction, overrides } = rehearsalOf(
        launch.request,
        { requestHash: launch.ref.requestHash, economicsHash: launch.economicsHash },
        storage,
      );
      const said = await rehearseTransaction(l2, transaction, at, overrides);
      if (said.kind === 'indeterminate') throw new Error(said.reason);
      expect(compareExecutions([said], await execute([transaction], at, overrides))).toEqual({ kind: 'agrees' });
      expect(compareExecutions([said], await execute([transaction], at))).toMatchObject({ kind: 'indeterminate' });
    }
  });

  it('does not read an overridden value, whatever an observer serves for it', async () => {
    const at = await simulatedBlock(l2, window);
    if (at.kind !== 'block') throw new Error(at.kind);
    const { transaction, overrides } = rehearsalOf(
      good.request,
      { requestHash: good.ref.requestHash, economicsHash: good.economicsHash },
      storage,
    );
    const read: unknown[] = [];
    const listening = [
      l2[0],
      {
        ...l2[1],
        request: (method: string, params: readonly unknown[]) => (
          read.push([method, params[0], params[1]]),
          l2[1].request(method, params)
        ),
      } as RpcObserver,
    ] as const;
    await createSecondExecutor(listening)([transaction], at, overrides);
    const [slot] = Object.keys(overrides[transaction.to]!.stateDiff!);
    expect(read).not.toContainEqual(['eth_getStorageAt', transaction.to, slot]);
    expect(
      read.filter((question) => JSON.stringify(question).startsWith(`["eth_getBalance","${transaction.from}"`)),
    ).toEqual([]);
    expect(read.length).toBeGreaterThan(20);
  });
});

describe('an undecidable rehearsal', () => {
  it.each<[string, () => ObserverPair, RegExp]>([
    [
      'one observer says that it reverts',
      () =>
        one('eth_simulateV1', (_params, truth) =>
          (truth as { calls: object[] }[]).map((block) => ({
            ...block,
            calls: block.calls.map((call) => ({ ...call, status: '0x0', returnData: '0x' })),
          })),
        ),
      /disagree/,
    ],
    [
      'both observers say so, and the second executor does not',
      () =>
        both('eth_simulateV1', (_params, truth) =>
          (truth as { calls: object[] }[]).map((block) => ({
            ...block,
            calls: block.calls.map((call) => ({ ...call, status: '0x0', returnData: '0x' })),
          })),
        ),
      /second executor .*status/,
    ],
    [
      'one observer serves other storage',
      () => one('eth_getStorageAt', () => `0x${'11'.repeat(32)}`),
      /second executor/,
    ],
    [
      'another program stands at the router',
      () => both('eth_getCode', routerIs('0x6001')),
      /router’s code is not the context’s/,
    ],
    [
      'another program stands at the PoolManager',
      () =>
        both('eth_getCode', (params, truth) =>
          params[0] === good.request.context.chainDeployment.poolManager.address ? '0x6001' : truth,
        ),
      /POOL_MANAGER_CODE_MISMATCH/,
    ],
  ])(
    'is repeated where %s while the window is long, and refused once 60 s of it are left',
    async (_what, observers, reason) => {
      await expect(rehearse(good, { observers: observers() })).rejects.toMatchObject({
        code: 'PROVIDERS_UNDECIDED',
        retryable: true,
        reason: expect.stringMatching(reason),
      });
      await expect(rehearse(good, { observers: observers(), at: window.deadline - 61n })).rejects.toMatchObject({
        code: 'PROVIDERS_UNDECIDED',
      });
      const undecided = {
        kind: 'indeterminate',
        findings: [{ code: 'SIMULATION_INDETERMINATE', layer: 'simulation', actual: expect.stringMatching(reason) }],
      };
      expect(await rehearse(good, { observers: observers(), at: window.deadline - 60n })).toMatchObject(undecided);
      expect(await rehearse(good, { observers: observers(), preflight: true })).toMatchObject(undecided);
      expect(await rehearse(good, { observers: observers(), at: window.deadline })).toEqual({ kind: 'window-passed' });
    },
    120_000,
  );

  it('is refused immediately when the router’s program is unknown, because no storage slot is guessed', async () => {
    const other = `0x${'fe'.repeat(KNOWN_ROUTERS[0]!.runtimeLength)}` as Hex;
    const { context } = good.request;
    const pinned = {
      ...good,
      request: {
        ...good.request,
        context: {
          ...context,
          chainDeployment: {
            ...context.chainDeployment,
            router: { ...context.chainDeployment.router, runtimeCodeHash: keccak256(other) },
          },
        },
      },
    };
    expect(await rehearse(pinned, { observers: both('eth_getCode', routerIs(other)) })).toMatchObject({
      kind: 'indeterminate',
      findings: [{ code: 'SIMULATION_INDETERMINATE', actual: expect.stringContaining('not one whose storage') }],
    });
  });

  it('is left to custody when its window has passed', async () => {
    const past = await signedLaunch(devnet, 'zero', 5n, {
      validAfter: window.validAfter - 3_600n,
      deadline: window.validAfter,
    });
    expect(await rehearse(past)).toEqual({ kind: 'window-passed' });
  });
});
