import type { Hex } from '../encoding/hex.js';
import { predictedAddress } from '../create2/contract-address.js';
import type { LaunchCall, LaunchPermit, RouterIdentity } from './launch.types.js';
import { callHash, graphHash, poolHash } from './launch-hashes.js';

const word = (digits: string): Hex => `0x${digits.repeat(32)}`;

export const sampleRouter: RouterIdentity = { chainId: 4663n, router: '0x5fbdb2315678afecb367f032d93f642f64180aa3' };
const controller: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const salt = (digits: string): Hex => `${controller}${digits.repeat(12)}`;

const native20 = {
  roleMask: 3,
  salt: salt('a1'),
  initCode: '0x6001600255aabbccddeeff' as Hex,
  runtimeCodeHash: word('b1'),
};
const token = predictedAddress({ deployer: sampleRouter.router, salt: native20.salt, initCode: native20.initCode });

/** A launch with at least one entry in every list; its code is arbitrary. */
export const sampleCall: LaunchCall = {
  components: [native20, { roleMask: 0, salt: salt('a2'), initCode: '0x00', runtimeCodeHash: word('b2') }],
  children: [
    {
      parentIndex: 0,
      roleMask: 16,
      account: '0x1111111111111111111111111111111111111111',
      runtimeCodeHash: word('b3'),
    },
  ],
  externals: [{ roleMask: 32, account: '0x2222222222222222222222222222222222222222', runtimeCodeHash: word('b4') }],
  poolKey: {
    currency0: '0x0000000000000000000000000000000000000000',
    currency1: token,
    fee: 0,
    tickSpacing: 60,
    hooks: token,
  },
  sqrtPriceX96: 79228162514264337593543950336n,
  liquidity: 123456789n,
  nativeLiquidityWei: 0n,
  initialBuyWei: 10n ** 16n,
  minimumTokensOut: 7n,
};

export const samplePermit: LaunchPermit = {
  controller,
  requestHash: word('c1'),
  contextHash: word('c2'),
  economicsHash: word('c3'),
  instructionPolicyHash: word('c4'),
  graphHash: graphHash(sampleCall),
  poolHash: poolHash(sampleCall),
  callHash: callHash(sampleCall),
  value: 10n ** 16n,
  nonce: 5n,
  validAfter: 1_790_000_000n,
  deadline: 1_790_003_600n,
};
