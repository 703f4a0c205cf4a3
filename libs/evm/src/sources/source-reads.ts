import type { SourceAnswer, SourceRead } from '@launch/contracts/index';
import type { Abi, AbiFunction } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { decodeCanonical, type AbiValue } from '../events/abi-values.js';
import type { Hex } from '../encoding/hex.js';
import type { Answers } from './source-adapter.js';

/** A contract that is asked, by the name that its reads begin with. */
export interface Asked {
  readonly name: string;
  readonly address: Hex;
  readonly abi: Abi;
  /** Of code that nobody reviewed. */
  readonly gas?: number;
}

/** A view function's question. `key` tells questions apart that differ in their arguments. */
export function callRead(asked: Asked, functionName: string, args: readonly unknown[] = [], key = ''): SourceRead {
  return {
    kind: 'call',
    name: readName(asked, functionName, key),
    to: asked.address,
    data: encodeFunctionData({ abi: asked.abi, functionName, args } as never),
    ...(asked.gas === undefined ? {} : { gas: asked.gas }),
  };
}

/** The question for an account's code, which is answered by its keccak-256. */
export const codeRead = (name: string, address: Hex): SourceRead => ({
  kind: 'code',
  name: `${name}.code`,
  to: address,
});

const readName = ({ name }: Asked, functionName: string, key: string): string =>
  key === '' ? `${name}.${functionName}` : `${name}.${functionName}:${key}`;

/** What a call returned, its values in order; null where it reverted, or returned what its ABI cannot mean. */
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

/** The hash of an account's code; null without code. */
export function codeHashOf(name: string, answers: Answers): Hex | null {
  const answer: SourceAnswer | undefined = answers.get(`${name}.code`);
  return answer?.kind === 'code' ? answer.hash : null;
}

/** Those of some reads that have no answer yet. */
export const unanswered = (reads: readonly SourceRead[], answers: Answers): readonly SourceRead[] =>
  reads.filter(({ name }) => !answers.has(name));
