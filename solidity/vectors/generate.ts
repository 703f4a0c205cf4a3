/**
 * Writes `launch-hashes.json` from the TypeScript side; the contracts then have to agree (see the tests).
 * Run: `npm run vectors`. A changed expectation is a changed protocol.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keccak256, stringToHex } from 'viem';
import { hashCall } from '../test/support/launch-hashes.ts';
import { hashesOf, parseCase, withMutation } from '../test/support/launch-vectors.ts';

const text = (value: string) => keccak256(stringToHex(value));
const account = (byte: string) => `0x${byte.repeat(20)}`;
const controller = account('c0');

const call = {
  components: [
    {
      roleMask: 3,
      salt: `${controller}000000000000000000000007`,
      initCode: '0x60016000526001601ff3',
      runtimeCodeHash: text('component 0'),
    },
    {
      roleMask: 0,
      salt: `${controller}0000000000000000000000ff`,
      initCode: `0x${'ab'.repeat(33)}`,
      runtimeCodeHash: text('component 1'),
    },
  ],
  children: [
    { parentIndex: 0, roleMask: 16, account: account('11'), runtimeCodeHash: text('child 0') },
    { parentIndex: 1, roleMask: 32, account: account('12'), runtimeCodeHash: text('child 1') },
  ],
  externals: [
    { roleMask: 0, account: account('21'), runtimeCodeHash: text('external 0') },
    { roleMask: 8, account: account('22'), runtimeCodeHash: text('external 1') },
  ],
  poolKey: { currency0: account('00'), currency1: account('33'), fee: 0, tickSpacing: 60, hooks: account('33') },
  sqrtPriceX96: '792281625142643375935439503360',
  liquidity: '123456789012345678901234',
  nativeLiquidityWei: '0',
  initialBuyWei: '10000000000000000',
  minimumTokensOut: '1',
};
const { graphHash, poolHash, callHash } = hashCall(parseCase(call) as never);
const base = {
  chainId: '4663',
  router: account('99'),
  call,
  permit: {
    controller,
    requestHash: text('request'),
    contextHash: text('context'),
    economicsHash: text('economics'),
    instructionPolicyHash: text('instruction policy'),
    graphHash,
    poolHash,
    callHash,
    value: '10000000000000000',
    nonce: '7',
    validAfter: '1750000000',
    deadline: '1750003600',
  },
};

/** Another value of the same kind. */
function another(value: unknown, key: string): unknown {
  if (key === 'tickSpacing') return -Number(value);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string' && /^\d+$/.test(value)) return String(BigInt(value) + 1n);
  if (typeof value === 'string') return `${value.slice(0, -2)}${value.endsWith('5a') ? 'a5' : '5a'}`;
  throw new Error(`no other value for ${key}`);
}

function* leaves(node: unknown, path: string): Generator<{ path: string; value: unknown }> {
  if (node === null || typeof node !== 'object') {
    yield { path, value: another(node, path.split('.').at(-1)!) };
    return;
  }
  for (const [key, value] of Object.entries(node)) yield* leaves(value, path === '' ? key : `${path}.${key}`);
}

const lists = (['components', 'children', 'externals'] as const).flatMap((name) => [
  { path: `call.${name}`, value: [] as unknown[] },
  { path: `call.${name}`, value: call[name].slice(0, 1) as unknown[] },
  { path: `call.${name}`, value: [...call[name]].reverse() as unknown[] },
]);
const edges = [
  { path: 'call.components.0.initCode', value: '0x' },
  { path: 'call.components.0.roleMask', value: 2 ** 32 - 1 },
  { path: 'call.children.0.parentIndex', value: 2 ** 16 - 1 },
  { path: 'call.poolKey.fee', value: 2 ** 24 - 1 },
  { path: 'call.poolKey.tickSpacing', value: -(2 ** 23) },
  { path: 'call.sqrtPriceX96', value: String(2n ** 160n - 1n) },
  { path: 'call.liquidity', value: String(2n ** 128n - 1n) },
  { path: 'permit.nonce', value: String(2n ** 256n - 1n) },
  { path: 'permit.deadline', value: String(2n ** 64n - 1n) },
];
const mutations = [...leaves(base, ''), ...lists, ...edges].map((mutation) => ({
  ...mutation,
  expected: hashesOf(parseCase(withMutation(base, mutation)), mutation.path),
}));

const file = {
  schemaVersion: 'service.launch-hash-vectors.v1',
  case: base,
  expected: hashesOf(parseCase(base)),
  mutations,
};
writeFileSync(fileURLToPath(new URL('./launch-hashes.json', import.meta.url)), `${JSON.stringify(file, null, 1)}\n`);
