import type { ArtifactTarget, BuildFindingCode, ConfigurationField } from '@launch/contracts/modules';
import { parseAbiItem, toFunctionSelector, toFunctionSignature, type AbiFunction } from 'viem';
import { parameterOf } from './configuration-encoding.js';

/** A read or an action that a descriptor declares; `abi` is the function's signature in Solidity's syntax. */
export interface DeclaredFunction {
  readonly name: string;
  readonly abi: string;
  /** The inputs of the form, in the order of the function's parameters. Actions only. */
  readonly inputs?: readonly ConfigurationField[];
  /** Actions only. */
  readonly payable?: boolean;
}

/** A fault in a read or an action, and the compared function of the ABI, if there is one. */
export interface ManagementFinding {
  readonly code: BuildFindingCode;
  readonly list: 'reads' | 'actions';
  readonly index: number;
  /** The member that declares it. */
  readonly member: 'abi' | 'inputs';
  readonly name: string;
  readonly target: ArtifactTarget | null;
}

const READING = new Set(['view', 'pure']);

/** Parses a signature with or without the word `function`. */
function declared(abi: string): AbiFunction | null {
  const text = /^function\b/.test(abi.trim()) ? abi : `function ${abi}`;
  try {
    const item = parseAbiItem(text as never) as { readonly type?: unknown };
    return item.type === 'function' ? (item as unknown as AbiFunction) : null;
  } catch {
    // viem's parser throws errors of many classes, all of them about this text.
    return null;
  }
}

/** Reports whether the typed inputs of a form are the parameters of the function. */
const takes = (item: AbiFunction, inputs: readonly ConfigurationField[]): boolean =>
  toFunctionSignature({ ...item, inputs: inputs.map(parameterOf) }) === toFunctionSignature(item);

/** A function of a compiled ABI. */
interface BuiltFunction {
  readonly target: ArtifactTarget;
  readonly item: AbiFunction;
}

/** Returns the first function of each selector and of each name, in the order of the targets. */
function functionsOf(targets: readonly ArtifactTarget[]) {
  const bySelector = new Map<string, BuiltFunction>();
  const byName = new Map<string, BuiltFunction>();
  for (const target of targets)
    for (const one of target.abi as readonly { readonly type?: unknown }[]) {
      if (one.type !== 'function') continue;
      const item = one as unknown as AbiFunction;
      const selector = toFunctionSelector(item);
      if (!bySelector.has(selector)) bySelector.set(selector, { target, item });
      if (!byName.has(item.name)) byName.set(item.name, { target, item });
    }
  return { bySelector, byName };
}

/**
 * Compares the reads and actions of a descriptor with the compiled ABIs: they must exist with these inputs, and read or
 * change state as declared.
 */
export function managementFindings(
  management: { readonly reads: readonly DeclaredFunction[]; readonly actions: readonly DeclaredFunction[] },
  targets: readonly ArtifactTarget[],
): ManagementFinding[] {
  const { bySelector, byName } = functionsOf(targets);
  const judge = (list: 'reads' | 'actions', one: DeclaredFunction, index: number): ManagementFinding[] => {
    const found = (
      code: BuildFindingCode,
      target: ArtifactTarget | null = null,
      member: ManagementFinding['member'] = 'abi',
    ): ManagementFinding[] => [{ code, list, index, member, name: one.name, target }];
    const wanted = declared(one.abi);
    if (wanted === null) return found('MANAGEMENT_ABI_UNREADABLE');
    const selector = toFunctionSelector(wanted);
    const exact = bySelector.get(selector);
    if (exact === undefined) {
      const namesake = byName.get(wanted.name);
      if (list === 'reads') return found('MANAGEMENT_READ_MISSING', namesake?.target);
      return namesake === undefined
        ? found('MANAGEMENT_ACTION_MISSING')
        : found('MANAGEMENT_ACTION_INPUTS_DIFFER', namesake.target);
    }
    const { stateMutability } = exact.item;
    if (list === 'reads')
      return READING.has(stateMutability) ? [] : found('MANAGEMENT_READ_CHANGES_STATE', exact.target);
    const inputs = one.inputs ?? [];
    return [
      ...(takes(exact.item, inputs) ? [] : found('MANAGEMENT_ACTION_INPUTS_DIFFER', exact.target, 'inputs')),
      ...((stateMutability === 'payable') === (one.payable ?? false)
        ? []
        : found('MANAGEMENT_ACTION_PAYABLE_DIFFERS', exact.target)),
    ];
  };
  return [
    ...management.reads.flatMap((read, index) => judge('reads', read, index)),
    ...management.actions.flatMap((action, index) => judge('actions', action, index)),
  ];
}
