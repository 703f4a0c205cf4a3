import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  createRequestSchema,
  INVENTORY_CASES,
  inventoryReportSchema,
  type InventoryProjectInput,
} from '@launch/contracts/multi-role';
import {
  hookFlagsOf,
  inventoryPosition,
  launchPurchase,
  NATIVE_FEE_HOOK_FLAGS,
  recogniseEconomics,
  type Hex,
} from '@launch/evm';
import { randomInt } from 'node:crypto';
import { bytesToHex, keccak256 } from 'viem/utils';
import { buildBundles } from '../fixtures/bundle.fixture.js';
import { fixtureInventoryInput, inventoryMaterial } from '../fixtures/inventory.fixture.js';
import { startLaunchChain, type LaunchChain } from '../fixtures/launch-chain.fixture.js';
import { inventoryNumbers, withInventoryNumbers } from '../numbers/inventory-numbers.js';
import { PackError } from '../offline/pack.error.js';
import { packRequest } from '../packer/pack-request.js';
import { buildInventoryRequest } from './build-inventory-request.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

let chain: LaunchChain;
beforeAll(async () => {
  await buildBundles();
  chain = await startLaunchChain();
});
afterAll(async () => chain?.stop());

async function built(input: InventoryProjectInput) {
  const { bytes, report } = await buildInventoryRequest(input, inventoryMaterial());
  return {
    bytes,
    report: inventoryReportSchema.parse(report),
    request: createRequestSchema.parse(parseStrictJson(bytes)),
  };
}
const liveInput = async (chosen: (typeof INVENTORY_CASES)[number], nonce: string): Promise<InventoryProjectInput> =>
  fixtureInventoryInput(chosen, { context: chain.context, wallet: chain.wallet, nonce, validAfter: await chain.now() });

describe.each(INVENTORY_CASES)('the project %s, against a real EVM', (chosen) => {
  it('becomes the predicted accounts, runtimes and vault', async () => {
    const { request, report } = await built(await liveInput(chosen, '1'));
    const { accounts, components, children } = await chain.materialize(request);
    const { initializer, token, hook, feeVault } = report.predictedAddresses;
    expect(accounts.map((account) => account.toLowerCase())).toEqual([initializer, token, hook]);
    expect(components).toEqual(request.graphBundle.components.map(({ expectedRuntimeCode }) => expectedRuntimeCode));
    expect(children.map((code) => keccak256(code))).toEqual([request.graphBundle.children[0]!.runtimeCodeHash]);
    expect(request.graphBundle.children[0]!.account).toBe(feeVault);
    expect(hookFlagsOf(hook as Hex)).toBe(NATIVE_FEE_HOOK_FLAGS);
  });

  it('launches through the router, and leaves the derived amounts', async () => {
    const input = await liveInput(chosen, chosen === 'atlas' ? '2' : '3');
    const { request, report } = await built(input);
    await chain.launch(request);
    const { initializer, token, feeVault } = report.predictedAddresses;
    expect(await chain.balanceOf(token, initializer)).toBe(BigInt(report.position.residueRaw));
    expect(await chain.codeHash(feeVault)).toBe(request.graphBundle.children[0]!.runtimeCodeHash);
    const bought = await chain.balanceOf(token, chain.wallet);
    expect((await chain.balanceOf(token, chain.context.chainBindings.poolManager)) + bought).toBe(
      BigInt(report.position.settledRaw),
    );
    const minimum = BigInt(input.parameters.minimumTokensOut);
    // The published minimum is a real bound: within a tenth of the result.
    expect(bought >= minimum && bought * 9n <= minimum * 10n).toBe(true);
  });
});

/** Returns the largest purchase that a position fills. */
function mostOf({
  inventoryRaw,
  creatorBuyFeeBps,
  ...range
}: Pick<
  InventoryProjectInput['parameters'],
  'inventoryRaw' | 'creatorBuyFeeBps' | 'tickLower' | 'tickUpper' | 'tickSpacing'
>): bigint {
  const placed = inventoryPosition(BigInt(inventoryRaw), range);
  if (!placed.ok) throw new Error('the draw is no position');
  const result = launchPurchase({ ...range, liquidity: placed.position.liquidity }, creatorBuyFeeBps, 2n ** 200n);
  if (result.ok || result.fault !== 'more-than-the-position') throw new Error('nothing is more than this position');
  return result.mostWei;
}

describe('any parameters', () => {
  const seed = process.env['TEST_SEED'] ?? String(randomInt(2 ** 31));
  /** Returns a number below `bound` that only the seed determines. */
  const pick = (name: string, bound: number): number =>
    Number(BigInt(keccak256(bytesToHex(Buffer.from(`${seed}/${name}`)))) % BigInt(bound));

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    `either launch as predicted or are refused for their inventory: draw %i (TEST_SEED=${seed})`,
    async (draw) => {
      const tickSpacing = [1, 10, 60, 200, 32_767, 1 + pick(`${draw} spacing`, 32_767)][pick(`${draw} which`, 6)]!;
      const lowest = Math.ceil(-887_272 / tickSpacing);
      const one = lowest + pick(`${draw} one`, Math.floor(887_271 / tickSpacing) - lowest);
      const tickLower = one * tickSpacing;
      const tickUpper = (one + 1 + pick(`${draw} width`, Math.floor(887_271 / tickSpacing) - one)) * tickSpacing;
      const inventoryRaw = ((2n ** 127n - 1n) >> BigInt(pick(`${draw} size`, 126))).toString();
      const fees = { creatorBuyFeeBps: pick(`${draw} buy`, 1_001), creatorSellFeeBps: pick(`${draw} sell`, 1_001) };
      const input = await liveInput('atlas', String(100 + draw));
      let made: Awaited<ReturnType<typeof built>>;
      try {
        made = await built({
          ...input,
          parameters: { ...input.parameters, ...fees, tickSpacing, tickLower, tickUpper, inventoryRaw },
        });
      } catch (error) {
        if (!(error instanceof PackError)) throw error;
        expect(error.findings.map(({ path }) => path)).toEqual(['/parameters/inventoryRaw']);
        return;
      }
      expect(recogniseEconomics(made.request).kind).toBe('recognised');
      await chain.launch(made.request);
      const { initializer, token } = made.report.predictedAddresses;
      expect(await chain.balanceOf(token, initializer)).toBe(BigInt(made.report.position.residueRaw));
      expect(await chain.balanceOf(token, chain.context.chainBindings.poolManager)).toBe(
        BigInt(made.report.position.settledRaw),
      );
    },
  );

  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    `give a purchase the exact result of the numbers, to the unit: draw %i (TEST_SEED=${seed})`,
    async (draw) => {
      const tickSpacing = [1, 10, 60, 200, 1 + pick(`${draw} bought spacing`, 400)][pick(`${draw} bought which`, 5)]!;
      const upper = Math.floor((pick(`${draw} bought upper`, 200_000) - 20_000) / tickSpacing);
      // Few words of the pool's bitmap, which the gas of one block can cross.
      const width = 1 + pick(`${draw} bought width`, Math.min(5_000, Math.floor(400_000 / tickSpacing)));
      const parameters = {
        ...{ tickSpacing, tickUpper: upper * tickSpacing, tickLower: (upper - width) * tickSpacing },
        inventoryRaw: (10n ** BigInt(20 + pick(`${draw} bought size`, 8))).toString(),
        creatorBuyFeeBps: pick(`${draw} bought fee`, 1_001),
        initialBuyWei: '',
        minimumTokensOut: '1',
      };
      const most = mostOf(parameters);
      // Anvil's wallets have 10,000 ether. Uses a share of the position's capacity, sometimes all of it.
      const affordable = most < 10n ** 20n ? most : 10n ** 20n;
      parameters.initialBuyWei = ((affordable * BigInt(1 + pick(`${draw} bought share`, 100))) / 100n).toString();
      const live = await liveInput('cedar', String(200 + draw));
      const chosen = { ...live, parameters: { ...live.parameters, ...parameters } };
      const numbers = inventoryNumbers(chosen, { supplyRaw: null, slippageBps: 0 });
      const { request, report } = await built(withInventoryNumbers(chosen, numbers));
      await chain.launch(request);
      const { token, initializer } = report.predictedAddresses;
      expect({
        bought: (await chain.balanceOf(token, chain.wallet)).toString(),
        position: (await chain.balanceOf(token, chain.context.chainBindings.poolManager)).toString(),
        residue: (await chain.balanceOf(token, initializer)).toString(),
      }).toEqual({
        bought: numbers.purchase!.tokensOut.raw,
        position: numbers.locked.position.raw,
        residue: numbers.locked.residue.raw,
      });
    },
  );
});

describe('a built request', () => {
  const refusalOf = async (change: (input: InventoryProjectInput) => InventoryProjectInput): Promise<string[]> => {
    try {
      await buildInventoryRequest(change(fixtureInventoryInput('atlas')), inventoryMaterial());
    } catch (error) {
      if (error instanceof PackError) return error.findings.map(({ path }) => path);
      throw error;
    }
    throw new Error('it was built');
  };
  const parameters =
    (change: Partial<InventoryProjectInput['parameters']>) =>
    (input: InventoryProjectInput): InventoryProjectInput => ({
      ...input,
      parameters: { ...input.parameters, ...change },
    });

  it('is the same from the same input, recognised, and canonical', async () => {
    const [one, other] = [await built(fixtureInventoryInput('cedar')), await built(fixtureInventoryInput('cedar'))];
    expect(Buffer.from(one.bytes).equals(other.bytes)).toBe(true);
    expect(one.report).toEqual(other.report);
    expect(Buffer.from(canonicalizeJson(one.request)).equals(one.bytes)).toBe(true);
    expect(recogniseEconomics(one.request)).toMatchObject({
      kind: 'recognised',
      economics: { inventory: { residueRaw: one.report.position.residueRaw } },
    });
  });

  it("has the packer's own report, which follows from its bytes", async () => {
    const { bytes, report, request } = await built(fixtureInventoryInput('atlas'));
    const { contextCommitments, launchIntentHash: _intent, compilerVerification, source, ...rest } = request;
    const { bundleSha256: _bundle, manifest: _manifest, ...kept } = source;
    const compiler = {
      ...compilerVerification,
      compilationUnits: compilerVerification.compilationUnits.map(
        ({ standardJsonInputSha256: _digest, ...unit }) => unit,
      ),
    };
    const packed = packRequest(
      canonicalizeJson({
        ...rest,
        schemaVersion: 'service.multi-role-request-pack-config.v2',
        source: kept,
        compiler,
      } as never),
    );
    expect(Buffer.from(packed.bytes).equals(bytes)).toBe(true);
    expect(report).toMatchObject({ ...packed.report, contextHash: contextCommitments.contextHash });
  });

  it('differs in every address from a launch with another nonce or wallet', async () => {
    const addresses = async (more: Parameters<typeof fixtureInventoryInput>[1]) =>
      Object.values((await built(fixtureInventoryInput('atlas', more))).report.predictedAddresses);
    const all = [
      ...(await addresses({})),
      ...(await addresses({ nonce: '8' })),
      ...(await addresses({ wallet: `0x${'12'.repeat(20)}` })),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it.each<[string, (input: InventoryProjectInput) => InventoryProjectInput, string]>([
    ['ticks off the spacing', parameters({ tickLower: 60_001 }), '/parameters/tickLower'],
    [
      'more liquidity than a tick may carry',
      parameters({ inventoryRaw: (2n ** 127n - 1n).toString() }),
      '/parameters/inventoryRaw',
    ],
    ['too little for any liquidity', parameters({ inventoryRaw: '1' }), '/parameters/inventoryRaw'],
    [
      'an image that is none',
      (input) => ({ ...input, project: { ...input.project, image: { ...input.project.image, base64: 'AAAA' } } }),
      '/project/image/base64',
    ],
    [
      "an image at a source's path",
      (input) => ({
        ...input,
        project: { ...input.project, image: { ...input.project.image, path: 'src/inventory/InventoryToken.sol' } },
      }),
      '/project/image/path',
    ],
    [
      'a context without the model',
      (input) => ({ ...input, context: { ...input.context, profile: { ...input.context.profile, recipes: [] } } }),
      '/context/profile/recipes',
    ],
    [
      'a context without the compiler',
      (input) => ({
        ...input,
        context: { ...input.context, profile: { ...input.context.profile, compilerVersions: ['0.8.30'] } },
      }),
      '/context/profile/compilerVersions',
    ],
    [
      'a context of two routers',
      (input) => ({
        ...input,
        context: { ...input.context, chainBindings: { ...input.context.chainBindings, router: `0x${'e'.repeat(40)}` } },
      }),
      '/context/chainBindings/router',
    ],
  ])('is refused with %s', async (_what, change, path) => {
    expect(await refusalOf(change)).toContain(path);
  });

  it('is refused with unreviewed material', async () => {
    const material = inventoryMaterial();
    const other = {
      ...material,
      creationCodes: { ...material.creationCodes, token: `${material.creationCodes.token}00` as Hex },
    };
    await expect(buildInventoryRequest(fixtureInventoryInput('atlas'), other)).rejects.toThrow(TypeError);
  });
});
