import type { ArtifactTarget, BuildFindingCode, ConfigurationField } from '@launch/contracts/modules';
import { parseAbiItem, toFunctionSelector, toFunctionSignature, type AbiFunction } from 'viem';
import { parameterOf } from './configuration-encoding.js';

/** A read or an action as a descriptor declares it; `abi` is the function's signature as Solidity writes it. */
export interface DeclaredFunction {
  readonly name: string;
  readonly abi: string;
  /** What a form asks for, in the order of the function's parameters. Actions alone. */
  readonly inputs?: readonly ConfigurationField[];
  /** Actions alone. */
  readonly payable?: boolean;
}

/** What is wrong with one of them, and the function of the ABI that was compared, where there is one. */
export interface ManagementFinding {
  readonly code: BuildFindingCode;
  readonly list: 'reads' | 'actions';
  readonly index: number;
  /** The member that says it. */
  readonly member: 'abi' | 'inputs';
  readonly name: string;
  readonly target: ArtifactTarget | null;
}

const READING = new Set(['view', 'pure']);

/** A signature with or without the word `function`. */
function declared(abi: string): AbiFunction | null {
  const text = /^function\b/.test(abi.trim()) ? abi : `function ${abi}`;
  try {
    const item = parseAbiItem(text as never) as { readonly type?: unknown };
    return item.type === 'function' ? (item as unknown as AbiFunction) : null;
  } catch {
    // Viem's parser throws errors of many classes, all of them about this text.
    return null;
  }
}

/** Whether the typed inputs of a form are the parameters that the function takes. */
const takes = (item: AbiFunction, inputs: readonly ConfigurationField[]): boolean =>
  toFunctionSignature({ ...item, inputs: inputs.map(parameterOf) }) === toFunctionSignature(item);

/** A function of a compiled ABI. */
interface BuiltFunction {
  readonly target: ArtifactTarget;
  readonly item: AbiFunction;
}

/** The first function of each selector and of each name, in the order of the targets. */
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

/** Reads and actions of a descriptor against the compiled ABIs: they exist with these inputs, read or may change state. */
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
