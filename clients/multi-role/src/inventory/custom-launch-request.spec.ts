import { expect, it } from '@jest/globals';
import {
  canonicalKeccak,
  CHAIN_ETHEREUM_FINALIZED_V1,
  createRequestSchema,
  CUSTOM_LAUNCH_PROFILE_4_1,
  CUSTOM_LAUNCH_REQUEST_4_1,
  type CustomLaunchContext,
  type CustomLaunchRequest,
} from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { NATIVE20_SEED_TEMPLATE_SET, templateSetHash } from '@launch/evm';
import { readFileSync, writeFileSync } from 'node:fs';
import { keccak256 } from 'viem/utils';
import { fixtureInventoryInput, inventoryMaterial } from '../fixtures/inventory.fixture.js';
import { FIXTURE_CHAIN, fixtureContext } from '../fixtures/launch-context.fixture.js';
import { buildInventoryRequest } from './build-inventory-request.js';

/** The good V4 request of the rules' corpus beside its context. `WRITE_REQUEST=1` writes it anew, after a recipe changed. */
const FILE = new URL('../../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const OPENED = 1_900_000_000n;
const BUY = 10n ** 16n;

it("the good V4 request of the rules' corpus is the inventory launch under router V1", async () => {
  const multiRole = fixtureContext({ ...FIXTURE_CHAIN, poolManagerCodeHash: keccak256('0x6001') });
  const input = fixtureInventoryInput('atlas', { context: multiRole, validAfter: OPENED - 60n });
  const permitWindow = { validAfter: String(OPENED - 60n), deadline: String(OPENED + 1_800n) };
  const parameters = { ...input.parameters, initialBuyWei: String(BUY), minimumTokensOut: '1' };
  const built = await buildInventoryRequest({ ...input, permitWindow, parameters }, inventoryMaterial());

  const { derivedContractFinality: _absent, ...profile } = multiRole.profile;
  const feed = { runtimeCodeHash: keccak256('0x6002'), decimals: 8, heartbeatSeconds: 3_600 };
  const context: CustomLaunchContext = {
    ...multiRole,
    profile: {
      ...profile,
      schemaVersion: CUSTOM_LAUNCH_PROFILE_4_1,
      recipes: [{ ...NATIVE20_SEED_TEMPLATE_SET.recipe, templateSetHash: templateSetHash(NATIVE20_SEED_TEMPLATE_SET) }],
    },
    chainDeployment: {
      ...multiRole.chainDeployment,
      usdReference: {
        l2Feed: { ...feed, address: `0x${'e'.repeat(40)}` },
        l1Feed: { ...feed, address: `0x${'f'.repeat(40)}` },
        maxDeviationBps: 100,
      },
    },
    providerProfile: { ...multiRole.providerProfile, finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1 },
  };
  const made = createRequestSchema.parse(parseStrictJson(built.bytes));
  const request: CustomLaunchRequest = {
    schemaVersion: CUSTOM_LAUNCH_REQUEST_4_1,
    profile: '4.1.0',
    chainId: '4663',
    caip2: 'eip155:4663',
    contextHash: canonicalKeccak(context),
    checkpoint: { blockNumber: '4000', blockHash: keccak256('0x6003') },
    launchWallet: made.launchWallet,
    nonce: made.nonce,
    permitWindow: made.permitWindow,
    source: made.source,
    externalContracts: made.externalContracts,
    graphBundle: made.graphBundle,
    projectMetadata: made.projectMetadata,
    compilerVerification: made.compilerVerification,
    liquidityModel: made.liquidityModel,
    funding: {
      kind: 'atomic-native-buy',
      initialBuyWei: String(BUY),
      minimumTokensOut: '1',
      liquidityNativeWei: '0',
      platformFeeWei: String((BUY * 20n) / 10_000n),
      totalValueWei: String(BUY),
    },
    budgets: { maxLaunchValueWei: String(2n * BUY), maxGasCostWei: made.fundingPlan.maxGasCostWei },
    attestation: made.attestation,
    moduleSelections: [],
  };
  const bytes = canonicalizeJson({ context, request });
  if (process.env['WRITE_REQUEST'] === '1') writeFileSync(FILE, bytes);
  expect(readFileSync(FILE).equals(bytes)).toBe(true);
});
