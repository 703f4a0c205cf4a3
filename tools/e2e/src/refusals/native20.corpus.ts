import type { ErrorCode } from '@launch/contracts/errors';
import type { SourceAssessment } from '@launch/contracts/multi-role';
import type { ObserverPair } from '@launch/chain';
import type { Hex } from '@launch/evm';
import { addAuxiliary, alterProject, mineAgain } from '../altered-project.js';
import { deceiving, running, withMetadata } from '../fixtures/auxiliaries.fixture.js';
import { component, flipByte, moved, replaceIn } from '../fixtures/request-changes.fixture.js';
import type { MutableRequest } from '../request-mutation.js';

/** One request that admission refuses: the change of a valid one, and the expected findings. */
export interface RefusalCase {
  readonly what: string;
  /** Every code of the findings. */
  readonly codes: readonly ErrorCode[];
  readonly disposition: SourceAssessment['disposition'];
  /** @param l2 for facts that only the chain has. */
  readonly change: (request: MutableRequest, l2: ObserverPair) => unknown;
  /** The case represents its layer end to end. The rules judge every case. */
  readonly endToEnd?: true;
}

export const UNKNOWN_ECONOMICS = 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED';

/** Changes of the combined Native20 reference. */
export const NATIVE20_REFUSALS: readonly RefusalCase[] = [
  {
    what: 'a byte of source changed',
    codes: ['CREATION_BYTECODE_MISMATCH', 'RUNTIME_BYTECODE_MISMATCH'],
    disposition: 'rejected',
    change: replaceIn('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = 21'),
    endToEnd: true,
  },
  {
    what: 'a byte of creation code changed',
    codes: ['CREATION_BYTECODE_MISMATCH'],
    disposition: 'rejected',
    change: (r) => {
      component(r).creationBytecode = flipByte(component(r).creationBytecode, 700) as Hex;
      moved(r);
    },
  },
  {
    what: 'a byte of declared runtime changed',
    codes: ['RUNTIME_BYTECODE_MISMATCH'],
    disposition: 'rejected',
    change: (r) => (component(r).expectedRuntimeCode = flipByte(component(r).expectedRuntimeCode, 40) as Hex),
  },
  {
    what: 'a source that does not compile',
    codes: ['COMPILER_ERROR'],
    disposition: 'rejected',
    change: replaceIn('NativeFeeMath.sol', 'PLATFORM_FEE_BPS = 20', 'PLATFORM_FEE_BPS = nothing'),
  },
  {
    what: 'a source with hundreds of errors',
    codes: ['COMPILER_ERROR'],
    disposition: 'rejected',
    change: replaceIn('NativeFeeMath.sol', 'unchecked {', `unchecked { ${'nothing; '.repeat(600)}`),
    endToEnd: true,
  },
  {
    what: 'constructor arguments with another fee than the runtime carries',
    codes: ['GRAPH_RUNTIME_NOT_MATERIALIZED'],
    disposition: 'rejected',
    change: (r) => {
      component(r).constructorArgs = flipByte(component(r).constructorArgs, 32 * 2 + 31) as Hex;
      mineAgain(r);
    },
  },
  {
    what: 'a constructor that returns other code than it declares',
    codes: ['GRAPH_RUNTIME_NOT_MATERIALIZED'],
    disposition: 'rejected',
    change: (r) => addAuxiliary(r, deceiving('00')),
  },
  {
    what: 'a constructor that returns forbidden code in place of what it declares',
    codes: ['GRAPH_RUNTIME_NOT_MATERIALIZED', 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
    disposition: 'rejected',
    change: (r) => addAuxiliary(r, deceiving('33ff')),
    endToEnd: true,
  },
  {
    what: 'hook bits that the address does not have',
    codes: ['GRAPH_HOOK_PERMISSIONS_INVALID'],
    disposition: 'rejected',
    change: (r) => {
      component(r).salt = flipByte(component(r).salt, 31) as Hex;
      moved(r);
    },
    endToEnd: true,
  },
  {
    what: 'a salt without the controller',
    codes: ['GRAPH_SALT_CONTROLLER_MISMATCH'],
    disposition: 'rejected',
    change: (r) => mineAgain(r, `0x${'11'.repeat(20)}`),
    endToEnd: true,
  },
  {
    what: 'CREATE in a runtime',
    codes: ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
    disposition: 'rejected',
    change: (r) => addAuxiliary(r, running('pop(create(0, 0, 0))')),
  },
  {
    what: 'CREATE2 in a runtime',
    codes: ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
    disposition: 'rejected',
    change: (r) => addAuxiliary(r, running('pop(create2(0, 0, 0, 0))')),
  },
  {
    what: 'a runtime of nothing but forbidden instructions',
    codes: ['MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'],
    disposition: 'rejected',
    change: (r) => (component(r).expectedRuntimeCode = `0x${'ff'.repeat(24_576)}`),
    endToEnd: true,
  },
  {
    what: 'a 0xef prefix',
    codes: ['MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'],
    disposition: 'rejected',
    change: (r) => (component(r).expectedRuntimeCode = `0xef${component(r).expectedRuntimeCode.slice(4)}`),
    endToEnd: true,
  },
  // It compiles, matches, deploys and still claims to be Native20, but charges every fee twice.
  {
    what: 'a kernel changed in one line',
    codes: [UNKNOWN_ECONOMICS],
    disposition: 'evidence_required',
    change: (r, l2) =>
      alterProject(r, l2, (input) => {
        const path = Object.keys(input.sources).find((name) => name.endsWith('NativeFeeKernel.sol'))!;
        input.sources[path]!.content = input.sources[path]!.content.replace(
          'fee = platformFee + creatorFee;\n        if',
          'fee = 2 * (platformFee + creatorFee);\n        if',
        );
      }),
    endToEnd: true,
  },
  {
    what: 'a harmless contract beside a known recipe, its metadata where no flow comes',
    codes: [UNKNOWN_ECONOMICS],
    disposition: 'evidence_required',
    change: (r) => addAuxiliary(r, withMetadata),
  },
  {
    what: 'known economics that carry other numbers than declared',
    codes: ['MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION'],
    disposition: 'evidence_required',
    change: (r) => (r.liquidityModel = { ...r.liquidityModel, liquidity: '1' }),
    endToEnd: true,
  },
];
