import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { originCommitment, createObserverPair, parseObserverUrls, simulateTransaction, type ObserverPair, type SimulationOutcome } from '@launch/chain';
import { CHAIN_DEPLOYMENT_ID, CHAIN_ID, createRequestSchema, keccak256Hex, sha256Digest, type CreateRequest, type LaunchContext, type WalletHandoff } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import type { Devnet, RpcProvider } from '@launch/devnet';
import {
  encodeLaunchCalldata, instructionPolicyHash, launchCallOf, launchCommitments, launchPermitOf, LINEAR_INSTRUCTION_POLICY, NATIVE20_TEMPLATE_SET,
  permitDigest, permitTypedData, recogniseEconomics, routerOf, templateSetHash, type Hex,
} from '@launch/evm';
import { buildPackConfig, inertConfigOf, packRequest } from '@launch/multi-role';

/** The context of running development chains, as a deployment would publish it. */
export function devnetContext(devnet: Devnet): LaunchContext {
  const lower = <T extends { readonly address: string; readonly runtimeCodeHash: string }>(contract: T) => ({
    address: contract.address.toLowerCase(),
    runtimeCodeHash: contract.runtimeCodeHash,
  });
  const observers = (providers: readonly RpcProvider[]) => providers.map(({ id, url }) => ({ id, originCommitment: originCommitment(url) }));
  const { contracts } = devnet;
  return {
    chainId: '4663',
    caip2: 'eip155:4663',
    chainDeploymentId: CHAIN_DEPLOYMENT_ID,
    profile: {
      schemaVersion: 'service.multi-role-launch-profile.v2',
      profileId: 'finality-tests',
      instructionPolicy: {
        id: LINEAR_INSTRUCTION_POLICY.id,
        policyHash: instructionPolicyHash(LINEAR_INSTRUCTION_POLICY),
        document: JSON.parse(JSON.stringify(LINEAR_INSTRUCTION_POLICY)) as Record<string, unknown>,
      },
      compilerVersions: ['0.8.26'],
      recipes: [{ ...NATIVE20_TEMPLATE_SET.recipe, templateSetHash: templateSetHash(NATIVE20_TEMPLATE_SET) }],
      limits: { requestBytes: 16_777_216, initCodeBytes: 49_152, runtimeCodeBytes: 24_576, transactionBytes: 95_000, permitWindowSeconds: 3_600 },
    },
    chainDeployment: {
      router: lower(contracts.router),
      poolManager: lower(contracts.poolManager),
      sequencerInbox: contracts.sequencerInbox.address.toLowerCase(),
      bridge: contracts.bridge.address.toLowerCase(),
      nodeInterface: contracts.nodeInterface.address.toLowerCase(),
      genesisBlock: String(devnet.genesisL2Block),
    },
    providerProfile: { l2Observers: observers(devnet.rpc['4663']), l1Observers: observers(devnet.rpc['1']), finalityPolicyId: 'service.ethereum-finality.v1' },
    chainBindings: {
      router: contracts.router.address.toLowerCase(),
      poolManager: contracts.poolManager.address.toLowerCase(),
      platformFeeRecipient: devnet.platformFeeRecipient.toLowerCase(),
      permitAuthorities: [devnet.permitAuthority.address.toLowerCase()],
    },
  };
}

/** Both observers of a chain through the devnet's providers, with a short timeout. */
export function observersOf(devnet: Devnet, chain: '1' | '4663'): ObserverPair {
  const text = devnet.rpc[chain].map(({ id, url }) => `${id}=${url}`).join(',');
  return createObserverPair(parseObserverUrls(`RPC_${chain}_URLS`, text), chain === '1' ? 1 : CHAIN_ID, { timeoutMs: 3_000, requestBytes: 2_097_152, answerBytes: 8_388_608 });
}

// Made by the repository's generate step.
const REFERENCE = fileURLToPath(new URL('../../../clients/multi-role/bundles/request-packer-reference.json', import.meta.url));

const keyOf = async (file: string): Promise<Hex> => (await readFile(file, 'utf8')).trim() as Hex;

export interface PreparedLaunch {
  readonly request: CreateRequest;
  readonly requestBytes: Uint8Array;
  readonly handoff: WalletHandoff;
  readonly handoffBytes: Uint8Array;
  readonly simulation: SimulationOutcome;
  /** Signs and sends the exact transaction from the controller's wallet through a provider; its hash. */
  send(url: string, change?: { gas?: bigint; nonceOffset?: number }): Promise<Hex>;
}

/** A packed, permitted and simulated launch of the reference project, ready for the wallet. */
export async function prepareLaunch(devnet: Devnet, nonce: bigint, referenceCase: 'zero' | 'buy' = 'buy'): Promise<PreparedLaunch> {
  const context = devnetContext(devnet);
  const controller = privateKeyToAccount(await keyOf(devnet.controller.privateKeyFile));
  const authority = privateKeyToAccount(await keyOf(devnet.permitAuthority.privateKeyFile));
  const wallet = controller.address.toLowerCase() as Hex;
  const now = Math.floor(Date.now() / 1_000);
  const { config } = await buildPackConfig(inertConfigOf(await readFile(REFERENCE), referenceCase), {
    context, wallet, nonce, validAfter: BigInt(now - 60), deadline: BigInt(now + 1_800), creatorRecipient: wallet,
    name: `Finality ${nonce}`, symbol: 'FIN', checkedAt: '2026-01-01T00:00:00.000Z', maxAttempts: 1 << 20,
  });
  const requestBytes = packRequest(canonicalizeJson(config)).bytes;
  const request = createRequestSchema.parse(parseStrictJson(requestBytes));
  const requestHash = keccak256Hex(requestBytes);
  const economics = recogniseEconomics(request);
  if (economics.kind !== 'recognised') throw new Error('the reference launch is recognised');
  const permit = launchPermitOf(request, { requestHash, economicsHash: economics.economicsHash });
  const identity = routerOf(request.context);
  const signature = await authority.signTypedData(permitTypedData(identity, permit) as never);
  const data = encodeLaunchCalldata({ call: launchCallOf(request), permit, signature });
  const window = { validAfter: permit.validAfter, deadline: permit.deadline };
  const simulation = await simulateTransaction(observersOf(devnet, '4663'), { from: wallet, to: identity.router, value: permit.value, data }, window);
  if (simulation.kind !== 'ok') throw new Error(`the reference launch simulates: ${JSON.stringify(simulation, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`);
  const at = new Date().toISOString();
  const handoff: WalletHandoff = {
    schemaVersion: 'service.multi-role-wallet-handoff.v2',
    requestSha256: sha256Digest(requestBytes),
    requestHash,
    contextHash: request.contextCommitments.contextHash,
    artifactHash: launchCommitments(request).artifactHash,
    permitDigest: permitDigest(identity, permit),
    validAfter: String(permit.validAfter),
    deadline: String(permit.deadline),
    createdAt: at,
    simulation: { blockNumber: String(simulation.blockNumber), blockHash: simulation.blockHash, gasUsed: String(simulation.gasUsed), simulatedAt: at },
    walletTransaction: { from: wallet, to: identity.router, chainId: '4663', value: String(permit.value), data },
  };
  const send: PreparedLaunch['send'] = async (url, change = {}) => {
    const count = Number(await rpc(devnet.rawRpc['4663'], 'eth_getTransactionCount', wallet, 'pending'));
    const raw = await controller.signTransaction({
      type: 'eip1559', chainId: CHAIN_ID, nonce: count + (change.nonceOffset ?? 0), to: identity.router, value: permit.value, data,
      gas: change.gas ?? 6_000_000n, maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 0n,
    });
    return (await rpc(url, 'eth_sendRawTransaction', raw)) as Hex;
  };
  return { request, requestBytes, handoff, handoffBytes: canonicalizeJson(handoff), simulation, send };
}

export async function rpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  const reply = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}

/** Puts faults on one provider; `{}` heals it. */
export async function putFaults(devnet: Devnet, id: string, faults: unknown): Promise<void> {
  const chain = id.startsWith('l1') ? '1' : '4663';
  const response = await fetch(`${devnet.faultsUrl}/faults/${chain}/${id}`, { method: 'PUT', body: JSON.stringify(faults) });
  if (!response.ok) throw new Error(await response.text());
}
