import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequestSchema } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import {
  decodeInventoryHookArguments,
  encodeInventoryHookArguments,
  INVENTORY_TEMPLATE_SET,
  inventoryTemplates,
  type Hex,
} from '@launch/evm';
import { buildInventoryRequest } from '@launch/multi-role';
import {
  fixtureInventoryInput,
  inventoryMaterial,
} from '../../../clients/multi-role/src/fixtures/inventory.fixture.js';
import { alterProject, declareAgain, endAlterations } from './altered-project.js';
import { freshKey, freshNonce, LaunchDesk, seconds } from './fixtures/launch-desk.fixture.js';
import { recordsOf } from './fixtures/stack-records.fixture.js';
import { editStandardJson, hookOf, reseal, thaw, type MutableRequest } from './request-mutation.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

const STARTS_WITHIN_MS = 300_000;
const DECIDES_WITHIN_MS = 120_000;

let stack: StackAccess;
let desk: LaunchDesk;
beforeAll(async () => {
  stack = await useStack('launches');
  desk = await LaunchDesk.open(stack);
}, STARTS_WITHIN_MS);
afterAll(() => endAlterations(), 60_000);

/** An inventory request of the stack's controller, changed and sealed again. */
async function inventory(change?: (request: MutableRequest) => unknown): Promise<Uint8Array> {
  const input = fixtureInventoryInput('cedar', {
    context: desk.context,
    wallet: desk.wallet,
    nonce: freshNonce(),
    validAfter: seconds() - 30n,
  });
  const { bytes } = await buildInventoryRequest(input, inventoryMaterial());
  if (change === undefined) return bytes;
  const request = thaw(createRequestSchema.parse(parseStrictJson(bytes)));
  await change(request);
  return reseal(request);
}

describe('the inventory model over HTTP', () => {
  it(
    'is recognised, gets one permit and a hand-off',
    async () => {
      const { launchId } = await desk.reserve(await inventory(), freshKey());
      const { wallet } = await desk.authorized(launchId);
      expect(await recordsOf(stack, launchId)).toMatchObject({
        decisions: [{ kind: 'digest', permitDigest: wallet!.permitDigest }],
      });
    },
    DECIDES_WITHIN_MS,
  );

  it.each<[string, (request: MutableRequest) => void]>([
    ['another name than its token carries', (r) => (r.projectMetadata = { ...r.projectMetadata, name: 'Impostor' })],
    [
      'another liquidity than its inventory gives',
      (r) =>
        (r.liquidityModel = { ...r.liquidityModel, liquidity: (BigInt(r.liquidityModel.liquidity) - 1n).toString() }),
    ],
  ])(
    'needs correction with %s',
    async (_what, change) => {
      const { resource, replay, preflight } = await desk.refused(await inventory(change));
      expect(resource.sourceAssessment).toMatchObject({
        disposition: 'evidence_required',
        findingCodes: ['MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION'],
      });
      expect(preflight.source.findingCodes).toEqual(['MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION']);
      expect(replay).toEqual({ status: 422, code: 'MULTI_ROLE_EVIDENCE_REQUIRED', statusUrl: resource.statusUrl });
    },
    DECIDES_WITHIN_MS,
  );
});

describe('an inventory project whose declarations do not fit its contracts', () => {
  const BINDINGS = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';
  const [TOKEN, HOOK] = [1, 2];
  it.each<[string, string, (request: MutableRequest) => void]>([
    [
      "token and hook in each other's role",
      'GRAPH_POOL_INVALID',
      ({ graphBundle: { components } }) => ([components[TOKEN]!.roleMask, components[HOOK]!.roleMask] = [2, 1]),
    ],
    [
      "its token as the pool's hook",
      'GRAPH_POOL_INVALID',
      ({ graphBundle: { components, officialPool } }) =>
        (officialPool.poolKey = { ...officialPool.poolKey, hooks: components[TOKEN]!.predictedAddress }),
    ],
    [
      'a byte of a runtime changed',
      'RUNTIME_BYTECODE_MISMATCH',
      ({ graphBundle: { components } }) => {
        const runtime = components[TOKEN]!.expectedRuntimeCode;
        components[TOKEN]!.expectedRuntimeCode =
          `${runtime.slice(0, 100)}${runtime[100] === '0' ? '1' : '0'}${runtime.slice(101)}` as Hex;
      },
    ],
    [
      'a byte of its sources changed',
      'CREATION_BYTECODE_MISMATCH',
      (r) =>
        editStandardJson(r, ({ sources }) => {
          const file = Object.keys(sources).find((path) => path.endsWith('NativeFeeMath.sol'))!;
          sources[file]!.content = sources[file]!.content.replace('PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 21');
        }),
    ],
  ])(
    'needs correction with %s, and hears what is wrong',
    async (_what, code, change) => {
      const { resource, replay, preflight } = await desk.refused(await inventory(change));
      expect(resource.sourceAssessment).toMatchObject({
        disposition: 'evidence_required',
        findingCodes: expect.arrayContaining([BINDINGS, code]),
      });
      expect(preflight.source).toMatchObject({
        disposition: 'evidence_required',
        findingCodes: resource.sourceAssessment!.findingCodes,
      });
      expect(replay).toEqual({ status: 422, code: 'MULTI_ROLE_EVIDENCE_REQUIRED', statusUrl: resource.statusUrl });
    },
    DECIDES_WITHIN_MS,
  );
});

describe('an inventory project that compiles, matches and deploys', () => {
  const KERNEL = 'NativeFeeKernel.sol';
  const paidTo =
    (account: Hex) =>
    (request: MutableRequest): unknown => {
      const { hook } = inventoryTemplates(INVENTORY_TEMPLATE_SET);
      const component = hookOf(request);
      const given = decodeInventoryHookArguments(hook, component.constructorArgs as Hex)!;
      component.constructorArgs = encodeInventoryHookArguments(hook, {
        ...given,
        config: { ...given.config, platformRecipient: account },
      });
      return declareAgain(request, desk.l2);
    };

  it.each<[string, string, (request: MutableRequest) => unknown]>([
    [
      "and pays the platform's fees to somebody else needs corrected bindings",
      'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION',
      paidTo(`0x${'99'.repeat(20)}`),
    ],
    [
      'on a kernel of one changed line is not known',
      'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED',
      (request) =>
        alterProject(request, desk.l2, ({ sources }) => {
          const path = Object.keys(sources).find((name) => name.endsWith(KERNEL))!;
          sources[path]!.content = sources[path]!.content.replace(
            'fee = platformFee + creatorFee;\n        if',
            'fee = 2 * (platformFee + creatorFee);\n        if',
          );
        }),
    ],
    [
      'with another platform fee is not known',
      'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED',
      (request) =>
        alterProject(request, desk.l2, ({ sources }) => {
          const path = Object.keys(sources).find((name) => name.endsWith('NativeFeeMath.sol'))!;
          sources[path]!.content = sources[path]!.content.replace('PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 0');
        }),
    ],
  ])(
    '%s',
    async (_what, code, change) => {
      const { resource, preflight } = await desk.refused(await inventory(change));
      expect(resource.sourceAssessment).toMatchObject({ disposition: 'evidence_required', findingCodes: [code] });
      expect(preflight.source.findingCodes).toEqual([code]);
    },
    DECIDES_WITHIN_MS,
  );
});
