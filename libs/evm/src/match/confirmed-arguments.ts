import { headWordsOf } from '../encoding/canonical-abi.js';
import type { Hex } from '../encoding/hex.js';
import type { BytecodeMatchInput, CodeTransformation } from './bytecode-match.types.js';
import { constructorInputs } from './constructor-arguments.js';

/**
 * Reports whether the runtime confirms each of the canonical `args`. An immutable that the constructor sets to an
 * argument confirms it by the same value and contradicts it by another. An argument that no immutable shows is not
 * confirmed.
 */
export function argumentsAreConfirmed(
  input: BytecodeMatchInput,
  args: Hex,
  transformations: readonly CodeTransformation[],
): boolean {
  const inputs = constructorInputs(input.compiled.abi);
  const shown = inputs.map(() => new Set<Hex>());
  const indexOf = argumentIndexes(input);
  for (const change of transformations) {
    if (change.kind !== 'immutable') continue;
    const index = indexOf.get(change.astId);
    if (index !== undefined) shown[index]?.add(change.value);
  }
  return headWordsOf(inputs, args).every((word, index) => {
    const values = shown[index]!;
    return word !== null && values.size === 1 && values.has(word);
  });
}

/** Returns the index of the argument that the target's constructor assigns to each immutable, by AST id. */
function argumentIndexes({ immutableNames = [], target }: BytecodeMatchInput): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const { astId, arguments: assigned = [] } of immutableNames) {
    const own = assigned.find(({ path, contract }) => path === target?.path && contract === target.contract);
    if (own !== undefined) indexes.set(String(astId), own.index);
  }
  return indexes;
}
