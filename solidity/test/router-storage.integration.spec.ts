/** Compares a rehearsal's assumptions about the router's storage with the compiled contract and a deployed one. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorityWord, KNOWN_ROUTERS, REHEARSAL_SIGNATURES, routerStorage } from '@launch/evm';
import { keccak256, recoverAddress, size } from 'viem';
import { artifact } from './support/artifacts.js';
import { planLaunch } from './support/plan.js';
import { graphV1, routerV1Name, signV1, startWorldV1, type WorldV1 } from './support/router-v1.js';
import { encodeCall, impostor, inSnapshot, maxUint64, routerName, startTimeout } from './support/world.js';

interface Layout {
  readonly storage: readonly {
    readonly label: string;
    readonly slot: string;
    readonly offset: number;
    readonly type: string;
  }[];
  readonly types: Readonly<
    Record<
      string,
      {
        readonly members?: readonly { readonly label: string; readonly slot: string; readonly offset: number }[];
        readonly value?: string;
        readonly key?: string;
      }
    >
  >;
}

interface Build {
  readonly compilerVersion: string;
  standardJsonInput(sources: unknown): { settings: { outputSelection: unknown } };
  sourceClosure(entries: readonly string[]): unknown;
}

/** The layout that the pinned compiler gives a router, by the folder's own build. */
async function storageLayout(name: string): Promise<Layout> {
  const file = `src/${name}.sol`;
  const built = (file: string): Promise<unknown> => import(new URL(`../build/${file}`, import.meta.url).href);
  const { compilerVersion, standardJsonInput, sourceClosure } = {
    ...((await built('solc.mjs')) as object),
    ...((await built('sources.mjs')) as object),
  } as Build;
  const solc = createRequire(import.meta.url)(`solc-${compilerVersion}`) as { compile(input: string): string };
  const input = standardJsonInput(sourceClosure([file]));
  input.settings.outputSelection = { [file]: { [name]: ['storageLayout'] } };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: Record<string, Record<string, { storageLayout: Layout }>>;
  };
  return output.contracts[file]![name]!.storageLayout;
}

let world: WorldV1;
beforeAll(async () => {
  world = await startWorldV1();
}, startTimeout);
afterAll(() => world?.chain.close());

describe.each([routerName, routerV1Name])('The compiled %s', (name) => {
  it('has known storage, by its runtime without immutables', () => {
    const { runtimeCode, immutables } = artifact(name);
    const known = KNOWN_ROUTERS.find(({ runtimeMaskedHash }) => runtimeMaskedHash === keccak256(runtimeCode));
    expect(known).toMatchObject({
      contract: name,
      runtimeLength: size(runtimeCode),
      immutables: immutables.map(({ name, offsets }) => ({ name, offsets })),
    });
  });

  it(
    'stores authorities in the slots that the rehearsal overrides, packed the same way',
    async () => {
      const { storage, types } = await storageLayout(name);
      const authority = storage.find(({ label }) => label === 'authority');
      expect(authority).toMatchObject({
        slot: routerStorage(artifact(name).runtimeCode)?.authoritySlot.toString(),
        offset: 0,
      });
      const mapping = types[authority!.type]!;
      expect(mapping.key).toBe('t_address');
      expect(types[mapping.value!]!.members).toMatchObject([
        { label: 'validFrom', slot: '0', offset: 0 },
        { label: 'validUntil', slot: '0', offset: 8 },
        { label: 'revoked', slot: '0', offset: 16 },
      ]);
    },
    startTimeout,
  );
});

describe('A deployed router', () => {
  it('has known storage, which a single changed byte makes unknown', async () => {
    const code = await world.chain.code(world.router);
    const storage = routerStorage(code);
    expect(storage).not.toBeNull();
    expect(routerStorage(await world.chain.code(world.otherRouter))).toEqual(storage);
    expect(routerStorage(`${code.slice(0, -2)}${code.endsWith('00') ? '01' : '00'}` as `0x${string}`)).toBeNull();
    expect(routerStorage(`${code}00`)).toBeNull();
  });

  it('accepts the signer of an overridden word as an authority at any time, also a revoked one', () =>
    inSnapshot(world.chain, async () => {
      const plan = await planLaunch(world);
      const [signature] = REHEARSAL_SIGNATURES;
      const signer = await recoverAddress({ hash: plan.permitDigest, signature });
      const tx = { ...plan.tx, data: encodeCall(routerName, 'launch', [plan.call, plan.permit, signature]) };
      expect(await world.chain.refusal(tx)).toEqual(['SignerNotAuthority']);
      const { slot, word } = authorityWord(routerStorage(await world.chain.code(world.router))!, signer);
      const state = { [world.router]: { stateDiff: { [slot]: word } } };
      expect(await world.chain.refusal(tx, { state })).toEqual([]);
      await world.chain.send({
        from: world.owner,
        to: world.router,
        data: encodeCall(routerName, 'revokeAuthority', [signer]),
      });
      expect(await world.chain.refusal(tx)).toEqual(['AuthorityRevoked']);
      expect(await world.chain.refusal(tx, { state })).toEqual([]);
    }));

  it('of version 1 accepts that signer in each call of a plan too', () =>
    inSnapshot(world.chain, async () => {
      const [signature] = REHEARSAL_SIGNATURES;
      const { expected, deploys } = await signV1(world, await graphV1(world), { mode: 1, signature });
      const signer = await recoverAddress({ hash: expected.permitDigest, signature });
      const { slot, word } = authorityWord(routerStorage(await world.chain.code(world.routerV1))!, signer);
      expect(await world.chain.refusal(deploys[0]!)).toEqual(['SignerNotAuthority']);
      const state = { [world.routerV1]: { stateDiff: { [slot]: word } } };
      expect(await world.chain.refusal(deploys[0]!, { state })).toEqual([]);
      expect(await world.chain.refusal(deploys[1]!, { state })).toEqual(['StepOutOfOrder']);
    }));

  it('stores, once an authority is set, the word by which the rehearsal overrides it', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.send({
        from: world.owner,
        to: world.router,
        data: encodeCall(routerName, 'setAuthority', [impostor.address, 0n, maxUint64]),
      });
      const { slot, word } = authorityWord(routerStorage(await world.chain.code(world.router))!, impostor.address);
      expect(await world.chain.rpc('eth_getStorageAt', world.router, slot, 'latest')).toBe(word);
    }));
});
