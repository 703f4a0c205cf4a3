import type { SourceAnswer, SourceRead } from '@launch/contracts/index';
import type { Abi, AbiFunction } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { decodeCanonical, type AbiValue } from '../events/abi-values.js';
import type { Hex } from '../encoding/hex.js';
import type { Answers } from './source-adapter.js';

/** A queried contract with the prefix of its reads' names. */
export interface Asked {
  readonly name: string;
  readonly address: Hex;
  readonly abi: Abi;
  /** The gas limit for unreviewed code. */
  readonly gas?: number;
}

/** Builds the read of a view function. `key` distinguishes reads with different arguments. */
export function callRead(asked: Asked, functionName: string, args: readonly unknown[] = [], key = ''): SourceRead {
  return {
    kind: 'call',
    name: readName(asked, functionName, key),
    to: asked.address,
    data: encodeFunctionData({ abi: asked.abi, functionName, args } as never),
    ...(asked.gas === undefined ? {} : { gas: asked.gas }),
  };
}

/** Builds the read of an account's code; its answer is the keccak-256. */
export const codeRead = (name: string, address: Hex): SourceRead => ({
  kind: 'code',
  name: `${name}.code`,
  to: address,
});

const readName = ({ name }: Asked, functionName: string, key: string): string =>
  key === '' ? `${name}.${functionName}` : `${name}.${functionName}:${key}`;

/** Returns the values of a call in order, or null if it reverted or returned data that its ABI cannot decode. */
export function returnedBy(
  asked: Pick<Asked, 'name' | 'abi'>,
  functionName: string,
  answers: Answers,
  key = '',
): readonly AbiValue[] | null {
  const answer = answers.get(readName(asked as Asked, functionName, key));
  if (answer?.kind !== 'returned') return null;
  const outputs = asked.abi.find(
    (item): item is AbiFunction => item.type === 'function' && item.name === functionName,
  )?.outputs;
  return outputs === undefined ? null : decodeCanonical(outputs, answer.data);
}

/** Returns the hash of an account's code, or null without code. */
export function codeHashOf(name: string, answers: Answers): Hex | null {
  const answer: SourceAnswer | undefined = answers.get(`${name}.code`);
  return answer?.kind === 'code' ? answer.hash : null;
}

/** Returns the reads that have no answer yet. */
export const unanswered = (reads: readonly SourceRead[], answers: Answers): readonly SourceRead[] =>
  reads.filter(({ name }) => !answers.has(name));
