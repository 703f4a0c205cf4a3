import { canonicalJsonText } from '@launch/contracts/json';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { ROUTER_V2_ABI } from '@launch/evm';
import { buildDevelopmentContext, buildDevelopmentCustomLaunchContext } from '@launch/start';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWalletClient, createPublicClient, http, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { trustedDeploymentsSchema } from '../../../../apps/site/app/site/settings.js';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';

const STARTS_WITHIN_MS = 300_000;
const RELEASE = {
  schemaVersion: 'service.multi-role-runtime-release-instance.v2',
  sourceCommit: '1'.repeat(40),
  sourceTree: '2'.repeat(40),
} as const;

let folder: string;
let devnet: Devnet;
let contexts: {
  readonly multiRole: ReturnType<typeof buildDevelopmentContext>;
  readonly customLaunch: ReturnType<typeof buildDevelopmentCustomLaunchContext>;
};
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trusted-deployments-'));
  devnet = await startDevnet({ dir: path.join(folder, 'chains'), keepState: false });
  contexts = {
    multiRole: buildDevelopmentContext(devnet, 'reachable', RELEASE, 'v2'),
    customLaunch: buildDevelopmentCustomLaunchContext(devnet, 'reachable', RELEASE, '4.1'),
  };
}, STARTS_WITHIN_MS);
afterAll(async () => {
  await devnet?.stop();
  await rm(folder, { recursive: true, force: true });
});

const urlsOf = (chain: '1' | '4663'): string => devnet.rpc[chain].map(({ id, url }) => `${id}=${url}`).join(',');

async function print(given: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv = {}) {
  const options: string[] = [];
  for (const [option, context] of Object.entries(given)) {
    const file = path.join(folder, `${option}.json`);
    await writeFile(file, canonicalJsonText(context));
    options.push(`--${option}`, file);
  }
  const lines: string[] = [];
  const printed = await runDeploy(
    ['trusted-deployments', ...options],
    hostOf({
      env: { RPC_4663_URLS: urlsOf('4663'), RPC_1_URLS: urlsOf('1'), ...env },
      progress: (line) => lines.push(line),
    }),
  );
  return { ...printed, lines };
}

describe('The deployments that the website trusts', () => {
  it('are those of both contexts when the chain is as they say, in the form that the site reads.', async () => {
    const { multiRole, customLaunch } = contexts;
    const printed = await print({ context: multiRole, 'custom-launch-context': customLaunch });
    expect([printed.exitCode, printed.stderr]).toEqual([0, '']);
    const deployments = trustedDeploymentsSchema.parse(JSON.parse(printed.stdout));
    expect(deployments).toEqual([
      {
        family: 'multi-role',
        chainId: 4663,
        router: devnet.contracts.router.address,
        routerCodeHash: devnet.contracts.router.runtimeCodeHash,
        permitAuthorities: [devnet.permitAuthority.address],
        poolManager: devnet.contracts.poolManager.address,
        contextHash: canonicalKeccak(multiRole),
      },
      expect.objectContaining({ family: 'custom-launch', router: devnet.contracts.routerV1.address }),
    ]);
    for (const line of printed.lines) expect(line).toContain(devnet.owner.address);
  });

  it.each<[string, (context: any) => void, string, string]>([
    [
      'the code of the router differs',
      ({ chainDeployment }) => (chainDeployment.router.runtimeCodeHash = `0x${'1'.repeat(64)}`),
      'CODE_DIFFERS',
      'router: the observers show code',
    ],
    [
      'the router is another contract of the service',
      ({ chainDeployment }) => (chainDeployment.router.address = chainDeployment.poolManager.address),
      'CODE_DIFFERS',
      'router: the observers show code',
    ],
    [
      'the router has no code',
      ({ chainDeployment }) => (chainDeployment.router.address = `0x${'12'.repeat(20)}`),
      'CODE_MISSING',
      'router: there is no code',
    ],
    [
      'the router uses another PoolManager',
      ({ chainDeployment }) => (chainDeployment.poolManager = { ...chainDeployment.router }),
      'CODE_DIFFERS',
      'poolManager: the router uses',
    ],
    [
      'the router does not know an authority',
      ({ chainBindings }) => chainBindings.permitAuthorities.push(`0x${'34'.repeat(20)}`),
      'AUTHORITY_DIFFERS',
      'the router does not know it',
    ],
  ])('are none if %s.', async (_fault, change, code, message) => {
    const context = structuredClone(contexts.multiRole);
    change(context);
    const printed = await print({ context });
    expect([printed.exitCode, printed.stdout]).toEqual([3, '']);
    expect(printed.stderr).toContain(`${code}: `);
    expect(printed.stderr).toContain(message);
  });

  it('are none if no context is named, or the observers serve another chain.', async () => {
    expect(await print({})).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ARGUMENTS_INVALID') });
    const swapped = await print({ context: contexts.multiRole }, { RPC_4663_URLS: urlsOf('1') });
    expect([swapped.exitCode, swapped.stdout]).toEqual([3, '']);
    expect(swapped.stderr).toContain('CHAIN_DIFFERS');
  });

  // Last: a revocation is for ever.
  it('are none after the owner of the router revoked the authority.', async () => {
    const key = (await readFile(devnet.owner.privateKeyFile, 'utf8')).trim() as Hex;
    const transport = http(devnet.rpc['4663'][0]!.url);
    const hash = await createWalletClient({ account: privateKeyToAccount(key), transport }).writeContract({
      chain: null,
      address: devnet.contracts.router.address as Hex,
      abi: ROUTER_V2_ABI,
      functionName: 'revokeAuthority',
      args: [devnet.permitAuthority.address as Hex],
    });
    await createPublicClient({ transport }).waitForTransactionReceipt({ hash });
    const printed = await print({ context: contexts.multiRole });
    expect([printed.exitCode, printed.stdout]).toEqual([3, '']);
    expect(printed.stderr).toContain('the router revoked it');
  });
});
