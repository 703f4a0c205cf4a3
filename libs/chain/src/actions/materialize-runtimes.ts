import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, keccak256, type Hex } from 'viem';
import { indeterminate } from '../agreement/agreement.js';
import type { BlockRef } from '../reads/block-ref.js';
import type { ObserverPair } from '../rpc/observer.js';
import { ethCallAgreed } from './agreed-reads.js';
import { MATERIALIZER_ABI, MATERIALIZER_RUNTIME_CODE } from './materializer.artifact.js';

export interface MaterializedContract {
  readonly account: Hex;
  readonly runtimeCode: Hex;
  readonly runtimeCodeHash: Hex;
}

export type Materialization =
  | {
      readonly kind: 'materialized';
      /** In graph order. */
      readonly components: readonly MaterializedContract[];
      /** In the order of the request. */
      readonly children: readonly MaterializedContract[];
    }
  /** A creation code reverted or left no code, or a declared child exists already or was not created. */
  | { readonly kind: 'refused'; readonly error: MaterializerError; readonly index: number | null }
  | { readonly kind: 'indeterminate'; readonly reason: string };

export type MaterializerError =
  | 'ChildAlreadyExists'
  | 'ComponentCreationFailed'
  | 'ComponentWithoutCode'
  | 'ChildWithoutCode'
  | 'Reverted';

/**
 * Executes creation codes as the router would with CREATE2, all in graph order in one call, and returns the exact
 * runtimes. The Materializer replaces the router's code for that one `eth_call`. Both L2 observers must return the same
 * runtimes.
 * @param salts CREATE2 salts; @param initCodes creation code with constructor arguments; @param children predicted
 * accounts.
 */
export async function materializeRuntimes(
  l2: ObserverPair,
  router: string,
  salts: readonly Hex[],
  initCodes: readonly Hex[],
  children: readonly string[],
  at?: BlockRef,
): Promise<Materialization> {
  const data = encodeFunctionData({
    abi: MATERIALIZER_ABI,
    functionName: 'materialize',
    args: [salts, initCodes, children as Hex[]],
  });
  const answer = await ethCallAgreed(
    l2,
    { to: router, data },
    { overrides: { [router]: { code: MATERIALIZER_RUNTIME_CODE } }, ...(at === undefined ? {} : { at }) },
  );
  if (answer.kind === 'indeterminate') return answer;
  if (answer.value.kind === 'reverted') return refusal(answer.value.data);
  return decode(answer.value.data, salts.length, children);
}

function decode(data: Hex, components: number, children: readonly string[]): Materialization {
  let decoded: readonly [readonly Hex[], readonly Hex[], readonly Hex[]];
  try {
    decoded = decodeFunctionResult({ abi: MATERIALIZER_ABI, functionName: 'materialize', data });
  } catch {
    return indeterminate('materialize: the answer does not decode');
  }
  const [accounts, componentRuntimes, childRuntimes] = decoded;
  if (
    accounts.length !== components ||
    componentRuntimes.length !== components ||
    childRuntimes.length !== children.length
  ) {
    return indeterminate('materialize: the answer has another length than the question');
  }
  const contract = (account: string, runtimeCode: Hex): MaterializedContract => ({
    account: account.toLowerCase() as Hex,
    runtimeCode,
    runtimeCodeHash: keccak256(runtimeCode),
  });
  return {
    kind: 'materialized',
    components: accounts.map((account, index) => contract(account, componentRuntimes[index] ?? '0x')),
    children: children.map((account, index) => contract(account, childRuntimes[index] ?? '0x')),
  };
}

function refusal(data: Hex): Materialization {
  try {
    const { errorName, args } = decodeErrorResult({ abi: MATERIALIZER_ABI, data });
    if (errorName === 'LengthsDiffer')
      return indeterminate('materialize: as many salts as creation codes are required');
    return { kind: 'refused', error: errorName, index: Number(args[0]) };
  } catch {
    return { kind: 'refused', error: 'Reverted', index: null };
  }
}
