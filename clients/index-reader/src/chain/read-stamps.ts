import { answerReads } from '@launch/chain/sources';
import type { ObserverPair } from '@launch/chain';
import type { IndexSource, Known, SourceRead } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { encodeFunctionData, parseAbi } from 'viem/utils';

const ABI = parseAbi(['function launchIdByToken(address token) view returns (bytes32)']);
const NONE = `0x${'0'.repeat(64)}`;

/** The statements of a chain's routers on a token at one block. */
export interface StampReading {
  /** True if one names a launch; false if all of them, each with the code of its binding, name none. */
  readonly stamped: Known;
  /** The reason if it is neither. */
  readonly reason: string | null;
}

/**
 * Reads every published router, including retired ones, through both endpoints at one block. If a router does not exist or is
 * another contract, the result stays unknown: only all routers together can deny a stamp.
 * @param routers every router that discovery names on the chain.
 */
export async function readStamps(
  pair: ObserverPair,
  routers: readonly IndexSource[],
  token: Hex,
  block: { readonly number: bigint; readonly hash: Hex },
): Promise<StampReading> {
  if (routers.length === 0) return { stamped: null, reason: 'discovery names no router of the chain' };
  const begun = routers.filter(({ startBlock }) => BigInt(startBlock) <= block.number);
  const data = encodeFunctionData({ abi: ABI, functionName: 'launchIdByToken', args: [token] });
  const reads = begun.flatMap(({ address: to }, index): SourceRead[] => [
    { kind: 'code', name: `${index}.code`, to },
    { kind: 'call', name: `${index}.launchIdByToken`, to, data },
  ]);
  const answers = await answerReads(pair, reads, block.hash);
  if (answers.kind === 'indeterminate') return { stamped: null, reason: answers.reason };
  for (const [index, { runtimeCodeHash }] of begun.entries()) {
    const code = answers.value.get(`${index}.code`);
    const said = answers.value.get(`${index}.launchIdByToken`);
    if (code?.kind !== 'code' || code.hash !== runtimeCodeHash)
      return { stamped: null, reason: 'a router has other code than its binding names' };
    if (said?.kind !== 'returned' || said.data.length !== NONE.length)
      return { stamped: null, reason: 'a router does not say whose a token is' };
    // The named launch is a claim until it is verified.
    if (said.data !== NONE) return { stamped: null, reason: 'a router names a launch of the token' };
  }
  return { stamped: false, reason: null };
}
