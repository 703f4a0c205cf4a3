import { keccak256, type Hex } from 'viem';
import { decodeArguments } from './abi-arguments.js';
import { INVENTORY_TEMPLATE_SET } from './inventory.template-set.js';
import { NATIVE20_TEMPLATE_SET } from './native20.template-set.js';

const CONTRACTS = [NATIVE20_TEMPLATE_SET, INVENTORY_TEMPLATE_SET].flatMap(({ contracts }) => contracts);

/**
 * Returns the constructor arguments of a reviewed contract by the names of its source. Returns null for code that was not
 * reviewed, and for bytes that are not the one canonical encoding of such arguments.
 */
export function reviewedArguments(creationCode: Hex, encoded: Hex): Readonly<Record<string, unknown>> | null {
  const hash = keccak256(creationCode);
  const template = CONTRACTS.find(({ creationCodeHash }) => creationCodeHash === hash);
  if (template === undefined) return null;
  const values = decodeArguments(template, encoded);
  return values && Object.fromEntries(template.constructor.map(({ name }, index) => [name, values[index]]));
}
