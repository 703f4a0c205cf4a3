import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext, customLaunchContextSchema } from '@launch/contracts/launch';
import {
  contextSchema,
  DERIVED_CONTRACT_FINALITY_V3,
  finalityGeneration,
  type LaunchContext,
} from '@launch/contracts/multi-role';
import { canonicalKeccak, keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createObserverPair,
  finalityPolicyReasons,
  parseObserverUrls,
  observersOfContext,
  readPinnedContracts,
} from '@launch/chain';
import {
  FINALITY_NAMES,
  instructionPolicyHash,
  isKnownPolicy,
  POLICY_NAMES,
  REACHABLE_INSTRUCTION_POLICY,
  type FinalityName,
  type PolicyName,
} from '@launch/evm';
import { buildDevelopmentContext } from '@launch/start';
import { startAnvil, type Anvil } from '@launch/testing';
import { reviewReasons } from '../../../../apps/api-gateway/src/core/context/router-review.js';
import { pinContexts } from '../../../../apps/permit-custody/src/pinned-contexts.js';
import { filedDocuments } from '@launch/platform';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';
import { contextFactsOf, parseManifest } from '../manifest/deployment-manifest.js';
import { customLaunchFactsSchema, multiRoleFactsSchema } from './context.facts.js';
import { publishContext } from './publish-context.js';
import { readContext } from './read-context.js';

const parseFacts = (facts: unknown) => multiRoleFactsSchema.parse(facts);
const build = async (...args: Parameters<typeof readContext>): Promise<LaunchContext> =>
  contextSchema.parse(await readContext(...args));

const ROUTER = `0x${'a1'.repeat(20)}`;
const POOL_MANAGER = `0x${'b2'.repeat(20)}`;
const FACTS = {
  profileId: 'spec',
  instructionPolicy: 'reachable',
  router: ROUTER,
  poolManager: POOL_MANAGER,
  sequencerInbox: `0x${'c3'.repeat(20)}`,
  bridge: `0x${'d4'.repeat(20)}`,
  nodeInterface: '0x00000000000000000000000000000000000000c8',
  genesisBlock: '0',
  platformFeeRecipient: `0x${'e5'.repeat(20)}`,
  permitAuthorities: [`0x${'f6'.repeat(20)}`],
};
const RELEASE = { sourceCommit: '1'.repeat(40), sourceTree: '2'.repeat(40) };

// Two providers of one chain: the same genesis, the same code.
let providers: Anvil[];
let urls: { l2: string; l1: string };
beforeAll(async () => {
  providers = await Promise.all(
    [0, 1].map(() => startAnvil({ chainId: 4663, args: ['--timestamp', '1790000000', '--no-mining'] })),
  );
  urls = {
    l2: providers.map(({ url }, index) => `l2-${index}=${url}`).join(','),
    l1: 'l1-0=https://one.example/v3/key,l1-1=https://two.example',
  };
});
afterAll(async () => {
  await Promise.all((providers ?? []).map((provider) => provider.stop()));
});

async function setCode(provider: Anvil | undefined, address: string, code: string): Promise<void> {
  const response = await fetch(provider?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, code] }),
  });
  expect(await response.json()).not.toHaveProperty('error');
}
const setCodes = async (address: string, code: string): Promise<void> =>
  void (await Promise.all(providers.map((provider) => setCode(provider, address, code))));

it('The context is not written while a contract is missing or the observers differ', async () => {
  const facts = parseFacts(FACTS);
  await expect(build(facts, urls, RELEASE)).rejects.toThrow(`router: there is no code at ${ROUTER}`);
  await setCodes(ROUTER, '0x6001');
  await setCode(providers[0], POOL_MANAGER, '0x6002');
  await setCode(providers[1], POOL_MANAGER, '0x6003');
  await expect(build(facts, urls, RELEASE)).rejects.toThrow('poolManager: the observers do not agree');
});

it('The context agrees with these observers, with this release in it and no address of a provider', async () => {
  await setCodes(ROUTER, '0x6001');
  await setCodes(POOL_MANAGER, '0x6002');
  const context = await build(parseFacts(FACTS), urls, RELEASE);
  expect(contextSchema.parse(context)).toEqual(context);
  expect(context.profile.runtimeRelease).toMatchObject(RELEASE);
  expect(context.profile.instructionPolicy.policyHash).toBe(instructionPolicyHash(REACHABLE_INSTRUCTION_POLICY));
  expect(isKnownPolicy(context.profile.instructionPolicy.id, context.profile.instructionPolicy.policyHash)).toBe(true);
  const l2 = createObserverPair(parseObserverUrls('RPC_4663_URLS', urls.l2), 4663);
  expect(await readPinnedContracts(l2, context)).toEqual([]);
  expect(
    observersOfContext(context, {
      l2: parseObserverUrls('RPC_4663_URLS', urls.l2),
      l1: parseObserverUrls('RPC_1_URLS', urls.l1),
    }),
  ).toEqual([]);
  expect(JSON.stringify(context)).not.toMatch(/https?:|127\.0\.0\.1|example/);
});

/** Returns the context that development would build from the chains and accounts of the facts. */
function developmentContext(policy: PolicyName, finality: FinalityName): LaunchContext {
  const deployed = (address: string, code: string) => ({
    address,
    runtimeCodeHash: keccak256Hex(Buffer.from(code.slice(2), 'hex')),
  });
  const providersOf = (text: string) => parseObserverUrls('spec', text).map(({ id, url }) => ({ id, url }));
  const devnet = {
    contracts: {
      router: deployed(ROUTER, '0x6001'),
      poolManager: deployed(POOL_MANAGER, '0x6002'),
      sequencerInbox: deployed(FACTS.sequencerInbox, '0x'),
      bridge: deployed(FACTS.bridge, '0x'),
      nodeInterface: deployed(FACTS.nodeInterface, '0x'),
    },
    rpc: { '4663': providersOf(urls.l2), '1': providersOf(urls.l1) },
    platformFeeRecipient: FACTS.platformFeeRecipient,
    permitAuthority: { address: FACTS.permitAuthorities[0] },
    genesisL2Block: Number(FACTS.genesisBlock),
  } as unknown as Parameters<typeof buildDevelopmentContext>[0];
  return buildDevelopmentContext(
    devnet,
    policy,
    { schemaVersion: 'service.multi-role-runtime-release-instance.v2', ...RELEASE },
    finality,
  );
}

it.each(POLICY_NAMES.flatMap((policy) => FINALITY_NAMES.map((finality) => [policy, finality] as const)))(
  'The context of policy %s and finality %s equals the one of development, and every service accepts it',
  async (policy, finality) => {
    await setCodes(ROUTER, '0x6001');
    await setCodes(POOL_MANAGER, '0x6002');
    const context = await build(
      parseFacts({ ...FACTS, profileId: `development-${policy}`, instructionPolicy: policy, finality }),
      urls,
      RELEASE,
    );
    expect(canonicalJsonText(context)).toBe(canonicalJsonText(developmentContext(policy, finality)));
    expect(finalityGeneration(context)).toBe(finality);
    expect(context.profile.derivedContractFinality).toBe(finality === 'v3' ? DERIVED_CONTRACT_FINALITY_V3 : undefined);
    // The gateway and the finality worker.
    const l2 = parseObserverUrls('RPC_4663_URLS', urls.l2);
    expect(contextSchema.parse(JSON.parse(canonicalJsonText(context)))).toEqual(context);
    expect(await readPinnedContracts(createObserverPair(l2, 4663), context)).toEqual([]);
    expect([
      ...finalityPolicyReasons(context),
      ...observersOfContext(context, { l2, l1: parseObserverUrls('RPC_1_URLS', urls.l1) }),
    ]).toEqual([]);
    const { id: policyId, policyHash } = context.profile.instructionPolicy;
    expect(
      reviewReasons(context, [
        {
          policyId,
          policyHash,
          router: ROUTER as Hex,
          runtimeCodeHash: context.chainDeployment.router.runtimeCodeHash,
        },
      ]),
    ).toEqual([]);
    // Custody.
    expect(
      pinContexts(canonicalJsonText(context), [], FACTS.permitAuthorities[0] as string as Hex).acceptedHashes,
    ).toEqual(new Set([canonicalKeccak(context)]));
  },
);

it('The context replaces the previous one, which is filed under its hash for the requests that are bound to it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'release-'));
  try {
    const target = path.join(folder, 'context.json');
    const previous = path.join(folder, 'previous-contexts');
    await mkdir(previous);
    const release = async (digit: string): Promise<LaunchContext> =>
      build(parseFacts(FACTS), urls, { sourceCommit: digit.repeat(40), sourceTree: digit.repeat(40) });
    const [first, second] = [await release('1'), await release('2')];
    publishContext(first, target);
    expect(() => publishContext(second, target)).toThrow('exists, and no document is overwritten');
    publishContext(second, target, previous);
    expect(await readFile(target, 'utf8')).toBe(canonicalJsonText(second));
    expect(await readdir(previous)).toEqual([`${canonicalKeccak(first)}.json`]);
    // Custody receives these contexts.
    const { data } = filedDocuments().safeParse(previous);
    const permitAuthority = FACTS.permitAuthorities[0] as string;
    expect(pinContexts(canonicalJsonText(second), data ?? [], permitAuthority as Hex).acceptedHashes).toEqual(
      new Set([canonicalKeccak(second), canonicalKeccak(first)]),
    );
    expect(() => publishContext(second, target, previous)).toThrow('is the context of this release and these facts');
    // Back to the first: then the second is the previous one, and the first is filed once.
    publishContext(first, target, previous);
    expect((await readdir(previous)).sort()).toEqual(
      [`${canonicalKeccak(first)}.json`, `${canonicalKeccak(second)}.json`].sort(),
    );
    expect((await readdir(folder)).sort()).toEqual(['context.json', 'previous-contexts']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  ['an unknown field', { ...FACTS, router2: ROUTER }],
  ['an address in capitals', { ...FACTS, router: ROUTER.toUpperCase().replace('0X', '0x') }],
  ['an unknown policy', { ...FACTS, instructionPolicy: 'none' }],
  ['an unknown finality', { ...FACTS, finality: 'v4' }],
  [
    'a finality policy that this release has no rule for',
    { ...FACTS, finalityPolicyId: 'service.ethereum-finality.v0' },
  ],
  ['no authority', { ...FACTS, permitAuthorities: [] }],
])('The facts of a context are refused for %s', (_name, facts) => {
  expect(() => parseFacts(facts)).toThrow();
});

it('The context serves custom launches when the facts name them, with router V1 and a price feed of each chain pinned as the observers report them', async () => {
  const [l2Feed, l1Feed] = [`0x${'a7'.repeat(20)}`, `0x${'b8'.repeat(20)}`];
  await setCodes(ROUTER, '0x6001');
  await setCodes(POOL_MANAGER, '0x6002');
  await setCodes(l2Feed, '0x6007');
  const terms = { decimals: 8, heartbeatSeconds: 3_600 };
  const facts = customLaunchFactsSchema.parse({
    ...FACTS,
    family: 'custom-launch',
    l2Feed: { address: l2Feed, ...terms },
    l1Feed: { address: l1Feed, ...terms },
  });
  const both = { l2: urls.l2, l1: urls.l2 };
  await expect(readContext(facts, both, RELEASE)).rejects.toThrow(`l1Feed: there is no code at ${l1Feed}`);
  await setCodes(l1Feed, '0x6008');
  const context = customLaunchContextSchema.parse(await readContext(facts, both, RELEASE));
  expect(context.profile.schemaVersion).toBe('service.custom-launch-profile.v4.1');
  expect(context.chainDeployment.usdReference).toEqual({
    l2Feed: { address: l2Feed, ...terms, runtimeCodeHash: keccak256Hex(Buffer.from('6007', 'hex')) },
    l1Feed: { address: l1Feed, ...terms, runtimeCodeHash: keccak256Hex(Buffer.from('6008', 'hex')) },
    maxDeviationBps: 100,
  });
});

it('A manifest that names the contracts gives the same context for each family, and a manifest of other code gives none', async () => {
  const [l2Feed, l1Feed] = [`0x${'a7'.repeat(20)}`, `0x${'b8'.repeat(20)}`];
  for (const [address, code] of [
    [ROUTER, '0x6001'],
    [POOL_MANAGER, '0x6002'],
    [l2Feed, '0x6007'],
    [l1Feed, '0x6008'],
  ] as const)
    await setCodes(address, code);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] });
  const response = await fetch(providers[0]!.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { hash: genesisHash } = ((await response.json()) as { result: { hash: string } }).result;
  const contract = (name: string, chainId: number, address: string, code: string) => ({
    name,
    chainId,
    address,
    runtimeCodeHash: keccak256Hex(Buffer.from(code, 'hex')),
    startBlock: '0',
  });
  const manifest = parseManifest({
    schemaVersion: 'service.deployment-manifest.v1',
    chains: [1, 4663].map((chainId) => ({ chainId, genesisBlock: '0', genesisHash })),
    contracts: [
      contract('router', 4663, ROUTER, '6001'),
      contract('poolManager', 4663, POOL_MANAGER, '6002'),
      contract('sequencerInbox', 1, FACTS.sequencerInbox, '60'),
      contract('bridge', 1, FACTS.bridge, '60'),
      contract('nodeInterface', 4663, FACTS.nodeInterface, '60'),
      contract('priceFeed', 4663, l2Feed, '6007'),
      contract('priceFeedL1', 1, l1Feed, '6008'),
    ],
  });
  const both = { l2: urls.l2, l1: urls.l2 };
  const {
    router: _router,
    poolManager: _manager,
    sequencerInbox: _inbox,
    bridge: _bridge,
    nodeInterface: _node,
    genesisBlock: _block,
    ...decided
  } = FACTS;
  expect(parseFacts(contextFactsOf(decided, manifest))).toEqual(parseFacts(FACTS));
  expect(parseFacts(contextFactsOf({ ...decided, router: 'router' }, manifest))).toEqual(parseFacts(FACTS));
  const terms = { decimals: 8, heartbeatSeconds: 3_600 };
  const custom = (feeds: readonly [string, string], facts: object) =>
    customLaunchFactsSchema.parse({
      ...facts,
      family: 'custom-launch',
      l2Feed: { address: feeds[0], ...terms },
      l1Feed: { address: feeds[1], ...terms },
    });
  const named = contextFactsOf(
    {
      ...decided,
      family: 'custom-launch',
      l2Feed: { address: 'priceFeed', ...terms },
      l1Feed: { address: 'priceFeedL1', ...terms },
    },
    manifest,
  );
  expect(customLaunchFactsSchema.parse(named)).toEqual(custom([l2Feed, l1Feed], FACTS));

  for (const facts of [parseFacts(FACTS), custom([l2Feed, l1Feed], FACTS)])
    expect(await readContext(facts, both, RELEASE, manifest)).toEqual(await readContext(facts, both, RELEASE));
  const [first, ...others] = manifest.contracts;
  const otherCode = parseManifest({ ...manifest, contracts: [{ ...first, runtimeCodeHash: genesisHash }, ...others] });
  await expect(build(parseFacts(FACTS), both, RELEASE, otherCode)).rejects.toThrow(
    /^router: the observers show .* and the manifest names/,
  );
});

it('The command writes the context of its facts and prints the hashes that commit to it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'write-context-'));
  try {
    await setCodes(ROUTER, '0x6001');
    await setCodes(POOL_MANAGER, '0x6002');
    const [file, out] = [path.join(folder, 'facts.json'), path.join(folder, 'context.json')];
    await writeFile(file, JSON.stringify(FACTS));
    await writeFile(path.join(folder, 'rpc-4663-urls'), urls.l2);
    await writeFile(path.join(folder, 'rpc-1-urls'), urls.l1);
    const lines: string[] = [];
    const host = hostOf({ release: () => RELEASE, progress: (line) => lines.push(line) });
    const call = ['write-context', '--facts', file, '--out', out, '--secrets', folder];
    const written = await runDeploy(call, host);
    expect([written.exitCode, written.stderr]).toEqual([0, '']);
    const context = await build(parseFacts(FACTS), urls, RELEASE);
    expect(await readFile(out, 'utf8')).toBe(canonicalJsonText(context));
    expect(JSON.parse(written.stdout)).toEqual(commitContext(context));
    expect(lines).toEqual(['reading the contracts from both observers of each chain', `wrote ${out}`]);
    expect(await runDeploy(call, host)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`TARGET_EXISTS: --out ${out}`),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
