import {
  decodeInventoryHookArguments,
  encodeInventoryHookArguments,
  INVENTORY_TEMPLATE_SET,
  inventoryTemplates,
  type Hex,
} from '@launch/evm';
import { alterProject, declareAgain } from '../altered-project.js';
import { flipByte, replaceIn } from '../fixtures/request-changes.fixture.js';
import { hookOf } from '../request-mutation.js';
import { UNKNOWN_ECONOMICS, type RefusalCase } from './native20.corpus.js';

const BINDINGS = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';
const [TOKEN, HOOK] = [1, 2];

const inKernelLine =
  (file: string, from: string, to: string): RefusalCase['change'] =>
  (request, l2) =>
    alterProject(request, l2, ({ sources }) => {
      const path = Object.keys(sources).find((name) => name.endsWith(file))!;
      sources[path]!.content = sources[path]!.content.replace(from, to);
    });

/** Changes of a published inventory project. */
export const INVENTORY_REFUSALS: readonly RefusalCase[] = [
  {
    what: 'another name than its token carries',
    codes: [BINDINGS],
    disposition: 'evidence_required',
    change: (r) => (r.projectMetadata = { ...r.projectMetadata, name: 'Impostor' }),
  },
  {
    what: 'another liquidity than its inventory gives',
    codes: [BINDINGS],
    disposition: 'evidence_required',
    change: (r) =>
      (r.liquidityModel = { ...r.liquidityModel, liquidity: (BigInt(r.liquidityModel.liquidity) - 1n).toString() }),
  },
  {
    what: "token and hook in each other's role",
    codes: [BINDINGS, 'GRAPH_HOOK_PERMISSIONS_INVALID', 'GRAPH_POOL_INVALID'],
    disposition: 'evidence_required',
    change: ({ graphBundle: { components } }) => ([components[TOKEN]!.roleMask, components[HOOK]!.roleMask] = [2, 1]),
  },
  {
    what: "its token as the pool's hook",
    codes: [BINDINGS, 'GRAPH_POOL_INVALID'],
    disposition: 'evidence_required',
    change: ({ graphBundle: { components, officialPool } }) =>
      (officialPool.poolKey = { ...officialPool.poolKey, hooks: components[TOKEN]!.predictedAddress }),
    endToEnd: true,
  },
  {
    what: 'a byte of a runtime changed',
    codes: [BINDINGS, 'RUNTIME_BYTECODE_MISMATCH'],
    disposition: 'evidence_required',
    change: ({ graphBundle: { components } }) =>
      (components[TOKEN]!.expectedRuntimeCode = flipByte(components[TOKEN]!.expectedRuntimeCode, 49) as Hex),
  },
  {
    what: 'a byte of its sources changed',
    codes: [BINDINGS, 'CREATION_BYTECODE_MISMATCH', 'RUNTIME_BYTECODE_MISMATCH'],
    disposition: 'evidence_required',
    change: replaceIn('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 21'),
  },
  {
    what: "the platform's fees paid to another account",
    codes: [BINDINGS],
    disposition: 'evidence_required',
    change: (request, l2) => {
      const { hook } = inventoryTemplates(INVENTORY_TEMPLATE_SET);
      const component = hookOf(request);
      const given = decodeInventoryHookArguments(hook, component.constructorArgs as Hex)!;
      component.constructorArgs = encodeInventoryHookArguments(hook, {
        ...given,
        config: { ...given.config, platformRecipient: `0x${'99'.repeat(20)}` },
      });
      return declareAgain(request, l2);
    },
    endToEnd: true,
  },
  {
    what: 'a kernel of one changed line',
    codes: [UNKNOWN_ECONOMICS],
    disposition: 'evidence_required',
    change: inKernelLine(
      'NativeFeeKernel.sol',
      'fee = platformFee + creatorFee;\n        if',
      'fee = 2 * (platformFee + creatorFee);\n        if',
    ),
    endToEnd: true,
  },
  {
    what: 'another platform fee',
    codes: [UNKNOWN_ECONOMICS],
    disposition: 'evidence_required',
    change: inKernelLine('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 0'),
  },
];
