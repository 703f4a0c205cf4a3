import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { hexToBytes } from 'viem/utils';
import type { RuleGroup } from '../judge.js';
import { runtimePolicyFindings, type RuntimeToScan } from './runtime-policy.findings.js';

type Graph = Pick<JudgedRequest, 'graphBundle'>;

/** The code of the request's external contracts, in its order; `0x` for none. */
export interface ExternalsFact {
  readonly request: Pick<JudgedRequest, 'externalContracts'>;
  readonly externalCodes: readonly Hex[];
}

/** Requires that each external contract has the declared code. */
export const EXTERNALS: RuleGroup<ExternalsFact> = {
  name: 'externals',
  find: ({ request, externalCodes }) =>
    request.externalContracts.flatMap((external, index) => {
      const code = externalCodes[index] ?? '0x';
      const actual = keccak256Hex(hexToBytes(code));
      if (code !== '0x' && actual === external.runtimeCodeHash) return [];
      return [
        finding('GRAPH_EXTERNAL_INVALID', `/externalContracts/${index}/runtimeCodeHash`, {
          expected: code === '0x' ? 'an account with code' : actual,
          actual: external.runtimeCodeHash,
        }),
      ];
    }),
};

interface MadeContract {
  readonly account: Hex;
  readonly runtimeCode: Hex;
  readonly runtimeCodeHash: Hex;
}

/** The result of executing the graph's creation codes through the router, or the reason why they fail. */
export interface MaterializedFact {
  readonly materialized:
    | {
        readonly kind: 'materialized';
        readonly components: readonly MadeContract[];
        readonly children: readonly MadeContract[];
      }
    | { readonly kind: 'refused'; readonly error: string; readonly index: number | null };
}

/** Requires that the deployed contracts are the declared ones. */
export const MATERIALIZATION: RuleGroup<MaterializedFact & { readonly request: Graph }> = {
  name: 'materialization',
  find: ({ request: { graphBundle }, materialized }) =>
    materialized.kind === 'refused'
      ? [refusedFinding(materialized)]
      : [
          ...materialized.components.flatMap((made, index): Finding[] => {
            const declared = graphBundle.components[index];
            const isDeclared =
              declared !== undefined &&
              made.account === declared.predictedAddress &&
              made.runtimeCode === declared.expectedRuntimeCode;
            if (isDeclared) return [];
            return [
              finding('GRAPH_RUNTIME_NOT_MATERIALIZED', componentRuntime(index), {
                expected: `runtime hashing to ${made.runtimeCodeHash}`,
                actual: declared?.expectedRuntimeCodeHash ?? null,
              }),
            ];
          }),
          ...materialized.children.flatMap((made, index): Finding[] => {
            const declared = graphBundle.children[index];
            if (made.runtimeCodeHash === declared?.runtimeCodeHash) return [];
            return [
              finding('GRAPH_RUNTIME_NOT_MATERIALIZED', childRuntime(index), {
                expected: made.runtimeCodeHash,
                actual: declared?.runtimeCodeHash ?? null,
              }),
            ];
          }),
        ],
};

/** Refuses forbidden instructions in the deployed runtimes: the scanned code is the code that deploys. */
export const DEPLOYED_RUNTIMES: RuleGroup<
  MaterializedFact & { readonly request: Pick<JudgedRequest, 'context' | 'graphBundle'> }
> = {
  name: 'deployed-runtimes',
  find({ request, materialized }) {
    if (materialized.kind === 'refused') return [];
    const scanned =
      (path: (index: number) => string) =>
      ({ runtimeCode }: MadeContract, index: number): RuntimeToScan => ({
        path: path(index),
        runtime: hexToBytes(runtimeCode),
      });
    return runtimePolicyFindings(request.context.profile.instructionPolicy.id, [
      ...materialized.components.map(scanned(componentRuntime)),
      ...materialized.children.map(scanned(childRuntime)),
    ]);
  },
};

const componentRuntime = (index: number): string => `/graphBundle/components/${index}/expectedRuntimeCode`;
const childRuntime = (index: number): string => `/graphBundle/children/${index}/runtimeCodeHash`;

function refusedFinding({ error, index }: Extract<MaterializedFact['materialized'], { kind: 'refused' }>): Finding {
  const list = error === 'ChildAlreadyExists' || error === 'ChildWithoutCode' ? 'children' : 'components';
  const path = index === null ? '/graphBundle' : `/graphBundle/${list}/${index}`;
  if (error === 'ChildAlreadyExists') return finding('GRAPH_ADDRESS_OCCUPIED', path);
  if (error === 'ChildWithoutCode')
    return finding('GRAPH_CHILD_INVALID', path, { expected: 'a contract made by its parent’s constructor' });
  return finding('GRAPH_RUNTIME_NOT_MATERIALIZED', path, { actual: error });
}

type DeploymentFact = MaterializedFact & { readonly request: Graph };

/** Requires that the router can execute the creation codes. */
export const EXECUTION: RuleGroup<DeploymentFact> = {
  name: 'materialization',
  find: (facts) => (facts.materialized.kind === 'refused' ? MATERIALIZATION.find(facts) : []),
};

/** Requires that the execution results in the declared code. */
export const DEPLOYED_CODE: RuleGroup<DeploymentFact> = {
  name: 'deployed-code',
  after: ['materialization'],
  find: (facts) => (facts.materialized.kind === 'refused' ? [] : MATERIALIZATION.find(facts)),
};
