import { keccak256, toHex, type Hex } from 'viem';
import {
  callHash,
  childAddress,
  encodeLaunchCalldata,
  encodeStampLog,
  expectedStamp,
  graphHash,
  poolHash,
  predictedAddress,
  type LaunchCall,
  type LaunchPermit,
} from '@launch/evm';
import { derivedTargets, type LaunchTarget } from '../launch-target.js';

/** A well-formed launch for tests of the rule: the hashes are real, the contracts are not. */
export const word = (text: string): Hex => keccak256(toHex(text));
const account = (text: string): Hex => `0x${word(text).slice(-40)}`;

export const ROUTER = account('router');
export const CONTROLLER = account('controller');
const CHAIN_ID = 4663n;

export function launchFixture(
  window: LaunchTarget['window'],
  searchFrom = 0n,
  generation: 'v2' | 'v3' = 'v2',
): LaunchTarget {
  const initCode = '0x600160005260206000f3';
  const salt: Hex = `${CONTROLLER}000000000000000000000001`;
  const component = predictedAddress({ deployer: ROUTER, salt, initCode });
  const call: LaunchCall = {
    components: [{ roleMask: 3, salt, initCode, runtimeCodeHash: word('component runtime') }],
    children: [
      { parentIndex: 0, roleMask: 16, account: childAddress(component, 1n), runtimeCodeHash: word('vault runtime') },
    ],
    externals: [{ roleMask: 0, account: account('manager'), runtimeCodeHash: word('manager runtime') }],
    poolKey: {
      currency0: '0x0000000000000000000000000000000000000000',
      currency1: component,
      fee: 0,
      tickSpacing: 60,
      hooks: component,
    },
    sqrtPriceX96: 2n ** 96n,
    liquidity: 1_000n,
    nativeLiquidityWei: 0n,
    initialBuyWei: 0n,
    minimumTokensOut: 0n,
  };
  const permit: LaunchPermit = {
    controller: CONTROLLER,
    requestHash: word('request'),
    contextHash: word('context'),
    economicsHash: word('economics'),
    instructionPolicyHash: word('policy'),
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    callHash: callHash(call),
    value: 0n,
    nonce: 7n,
    ...window,
  };
  const data = encodeLaunchCalldata({ call, permit, signature: `0x${'11'.repeat(64)}1b` });
  const stamp = expectedStamp({ chainId: CHAIN_ID, router: ROUTER }, call, permit);
  return {
    chainId: CHAIN_ID,
    router: ROUTER,
    routerCodeHash: word('router runtime'),
    sequencerInbox: account('inbox'),
    bridge: account('bridge'),
    nodeInterface: '0x00000000000000000000000000000000000000c8',
    genesisBlock: 0n,
    controller: CONTROLLER,
    nonce: permit.nonce,
    transaction: { from: CONTROLLER, to: ROUTER, value: 0n, data },
    window,
    searchFrom,
    stamp,
    derived: generation === 'v3' ? derivedTargets(call, stamp) : null,
  };
}

/** Topics and data of the stamp's logs, in the router's order. */
export const stampLogsOf = (target: LaunchTarget): { topics: Hex[]; data: Hex }[] =>
  target.stamp.events.map((event) => encodeStampLog(event));
