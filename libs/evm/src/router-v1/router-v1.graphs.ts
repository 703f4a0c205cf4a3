import { zeroAddress } from 'viem';
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, toBytes, toFunctionSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { encoded } from '../launch-call/launch-hashes.js';
import { stepHashOf, stepsHash } from './router-v1.hashes.js';
import { LAUNCH_MODES, type LaunchPermitV1 } from './router-v1.types.js';

/** `PROFILE_OF_GRAPHS()` of the router: the profile of every permit for a Foundation graph. */
export const GRAPH_PROFILE_WORD: Hex = keccak256(toBytes('service.foundation-graph.v1'));

/**
 * The additions of `EthereumLaunchStampRouterV1` to router V1's ABI, and the reads of its graph factories and accounts.
 */
export const GRAPH_ROUTER_ABI = parseAbi([
  'struct GraphCall { address graphFactory; bytes32 graphFactoryCodeHash; bytes recipe; }',
  'struct LaunchPermitV1 { address controller; bytes32 requestHash; bytes32 contextHash; bytes32 economicsHash; bytes32 instructionPolicyHash; bytes32 graphHash; bytes32 poolHash; bytes32 callHash; uint256 value; uint256 nonce; uint64 validAfter; uint64 deadline; bytes32 profile; uint8 mode; bytes32 stepsHash; }',
  'struct LaunchResultV2 { address token; address hook; address ledger; bytes32 poolId; uint256 custodyId; uint128 liquidity; uint160 sqrtPriceX96; uint256 initialBuyQuoteAmount; uint256 initialBuyTokenAmount; }',
  'function launchGraph(GraphCall call, LaunchPermitV1 permit, bytes signature) payable returns (bytes32 launchId)',
  'function openAccount(address wallet) returns (address account)',
  'function accountOf(address wallet) view returns (address)',
  'function launchAccount() view returns (address)',
  'function runtime() view returns (address)',
  'function wallet() view returns (address)',
  'function launch(bytes recipe) payable returns (LaunchResultV2 result)',
]);

const LAUNCH_GRAPH = GRAPH_ROUTER_ABI.find(
  (item) => item.type === 'function' && item.name === 'launchGraph',
) as Extract<(typeof GRAPH_ROUTER_ABI)[number], { name: 'launchGraph' }>;
const [GRAPH_CALL] = LAUNCH_GRAPH.inputs;
const POOL_AND_PRICE = [
  {
    type: 'tuple',
    components: [
      { name: 'currency0', type: 'address' },
      { name: 'currency1', type: 'address' },
      { name: 'fee', type: 'uint24' },
      { name: 'tickSpacing', type: 'int24' },
      { name: 'hooks', type: 'address' },
    ],
  },
  { type: 'uint160' },
] as const;

/** A Foundation graph launch in the form of the router. `recipe` is `abi.encode` of the factory's recipe. */
export interface GraphCall {
  readonly graphFactory: Hex;
  readonly graphFactoryCodeHash: Hex;
  readonly recipe: Hex;
}

/** The result of a launch, as a simulation of the account's launch returns it. */
export interface GraphResult {
  readonly token: Hex;
  readonly hook: Hex;
  readonly sqrtPriceX96: bigint;
}

/** The launcher, value and deadline of a graph launch. */
export type GraphTerms = Pick<
  LaunchPermitV1,
  | 'controller'
  | 'value'
  | 'nonce'
  | 'validAfter'
  | 'deadline'
  | 'requestHash'
  | 'contextHash'
  | 'economicsHash'
  | 'instructionPolicyHash'
>;

/** Returns `callHash`: keccak256(abi.encode(call)). @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE`. */
export const graphCallHash = (call: GraphCall): Hex => encoded(() => encodeAbiParameters([GRAPH_CALL], [call]));

/**
 * Builds the permit of a Foundation graph launch (docs/reference/permits-and-stamps.md#permit-of-router-v1).
 * @param account the controller's account at the graph factory, which is the stamp's route launcher.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for values that the types cannot hold.
 */
export function graphPermitV1Of(call: GraphCall, account: Hex, made: GraphResult, terms: GraphTerms): LaunchPermitV1 {
  const { graphFactory, graphFactoryCodeHash } = call;
  const { token, hook, sqrtPriceX96 } = made;
  const poolKey = { currency0: zeroAddress, currency1: token, fee: 0, tickSpacing: 60, hooks: hook };
  const callHash = graphCallHash(call);
  const step = stepHashOf(toFunctionSelector(LAUNCH_GRAPH), callHash, terms.value);
  return {
    ...terms,
    graphHash: encoded(() =>
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'bytes32' }, { type: 'address' }],
        [graphFactory, graphFactoryCodeHash, account],
      ),
    ),
    poolHash: encoded(() => encodeAbiParameters(POOL_AND_PRICE, [poolKey, sqrtPriceX96])),
    callHash,
    profile: GRAPH_PROFILE_WORD,
    mode: LAUNCH_MODES.single,
    stepsHash: stepsHash([step]),
  };
}

/** Encodes the calldata of the router's `launchGraph`. */
export const encodeLaunchGraph = (call: GraphCall, permit: LaunchPermitV1, signature: Hex): Hex =>
  encodeFunctionData({ abi: GRAPH_ROUTER_ABI, functionName: 'launchGraph', args: [call, permit, signature] });
