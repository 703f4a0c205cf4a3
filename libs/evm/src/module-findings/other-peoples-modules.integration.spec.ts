import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HookFlag } from '../create2/hook-flags.js';
import {
  compileFiles,
  compileModule,
  type CompiledModule,
} from '../../../compiler/src/fixtures/compiled-module.fixture.js';
import { findBuildFindings } from './build-findings.js';

/**
 * Contracts by other authors, and declarations that Solidity allows but modules seldom contain, compiled by real solc.
 */
const PACKAGES = path.resolve(import.meta.dirname, '../../../../node_modules');
const V4 = '@uniswap/v4-core/src/test';
const OZ = '@openzeppelin/contracts';
const TARGETS = [
  { path: `${V4}/FeeTakingHook.sol`, contract: 'FeeTakingHook' },
  { path: `${V4}/EmptyTestHooks.sol`, contract: 'EmptyTestHooks' },
  { path: `${OZ}/governance/TimelockController.sol`, contract: 'TimelockController' },
  { path: `${OZ}/proxy/ERC1967/ERC1967Proxy.sol`, contract: 'ERC1967Proxy' },
] as const;

/** Collects a published file and all of its imports. */
function gather(file: string, texts: Map<string, string>): void {
  if (texts.has(file)) return;
  const text = readFileSync(path.join(PACKAGES, file), 'utf8');
  texts.set(file, text);
  for (const [, name] of text.matchAll(/^\s*(?:import\b[^"';]*|\}\s*from\s*)["']([^"']+)["']/gm))
    gather(name!.startsWith('.') ? path.posix.join(path.posix.dirname(file), name!) : name!, texts);
}

let published: CompiledModule;
beforeAll(async () => {
  const texts = new Map<string, string>();
  for (const target of TARGETS) gather(target.path, texts);
  published = await compileFiles(texts, TARGETS, { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' });
});

const found = (
  module: CompiledModule,
  contract: string | null,
  hookPermissions: readonly HookFlag[] = [],
  reads: readonly string[] = [],
): string[] =>
  findBuildFindings({
    submissionId: '6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11',
    declared: {
      configuration: { maxEncodedBytes: 64, fields: [] },
      capabilities: { hookPermissions: [...hookPermissions], contracts: [] },
      management: { reads: reads.map((abi) => ({ name: 'read', abi })), actions: [] },
    },
    artifact: { targets: module.targets.filter((target) => contract === null || target.contract === contract) },
    texts: module.texts,
    diagnostics: [],
    earlier: [],
  }).findings.map(({ code, detail }) => `${code} ${detail}`);

describe('The findings for contracts by other authors', () => {
  it.each<[string, string, HookFlag[], string[]]>([
    [
      'nothing for a hook that checks its manager and declares its callbacks',
      'FeeTakingHook',
      [
        ...(['afterAddLiquidity', 'afterRemoveLiquidity', 'afterSwap', 'afterSwapReturnDelta'] as const),
        ...(['afterAddLiquidityReturnDelta', 'afterRemoveLiquidityReturnDelta'] as const),
      ],
      [],
    ],
    ['nothing for a timelock', 'TimelockController', [], []],
  ])('report %s', (_what, contract, flags, expected) => {
    expect(found(published, contract, flags)).toEqual(expected);
  });

  it('report every callback of a test hook that does not check its caller', () => {
    const findings = found(published, 'EmptyTestHooks');
    expect(findings.filter((one) => one.startsWith('HOOK_CALLER_UNCHECKED'))).toHaveLength(10);
  });

  it('report the DELEGATECALL of a proxy', () => {
    expect(found(published, 'ERC1967Proxy')).toEqual([expect.stringMatching(/^OPCODE_FORBIDDEN DELEGATECALL at \d+$/)]);
  });
});

const STRANGE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
type Price is uint128; enum Side { Buy, Sell } struct Order { Price price; Side side; uint256[2][] fills; }
library Book { struct Kept { mapping(bytes32 => Order) orders; }
  function put(Kept storage kept, bytes32 id, Order calldata order) external { kept.orders[id].price = order.price; }
  function side(Kept storage kept, bytes32 id) external view returns (Side) { return kept.orders[id].side; } }
contract Strange {
  Book.Kept internal kept; event Put(bytes32 indexed id) anonymous; error Refused(Side side);
  function put(bytes32 id, Order calldata order) external { Book.put(kept, id, order); emit Put(id); }
  function put(bytes32 id) external pure { revert Refused(Side.Buy); }
  function each(function (uint256) external returns (bool) visit) external { visit(1); }
  function orderOf(bytes32 id) external view returns (Order memory) { return kept.orders[id]; }
  receive() external payable {} fallback(bytes calldata) external returns (bytes memory) { return ''; } }`;

it('A module with libraries, user types, overloads and functions as arguments gets the usual findings.', async () => {
  const strange = await compileModule(STRANGE, ['Book', 'Strange']);
  expect(
    found(
      strange,
      null,
      [],
      [
        'function orderOf(bytes32) view returns (bytes32)',
        'function put(bytes32)',
        'function each(function)',
        'function side(Book.Kept storage, bytes32) view returns (uint8)',
      ],
    ),
  ).toEqual([
    'MANAGEMENT_READ_CHANGES_STATE read',
    'MANAGEMENT_ABI_UNREADABLE read',
    // The call to its library.
    expect.stringMatching(/^OPCODE_FORBIDDEN DELEGATECALL at \d+$/),
  ]);
});
