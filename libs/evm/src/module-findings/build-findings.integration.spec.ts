import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BuildFinding, ConfigurationField, FieldValue } from '@launch/contracts/modules';
import { findBuildFindings, type DeclaredModule, type FindingsInput } from './build-findings.js';
import {
  compileModule,
  MODULE_FILE,
  type CompiledModule,
} from '../../../compiler/src/fixtures/compiled-module.fixture.js';
import { HOOKS } from './hooks.fixture.js';

const SUBMISSION_ID = '6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11';
const LEDGER = `${HOOKS}
contract Ledger {
  uint256 public total; uint256[] public parts; address public owner = msg.sender;
  function setTotal(uint256 to, bytes32[] calldata tags) external { require(msg.sender == owner); total = to + tags.length; }
  function pay() external payable { total += msg.value; }
  function sweep(address payable to) external { selfdestruct(to); }
  function run(address code) external { (bool ok,) = code.delegatecall(''); require(ok); }
}
contract Maker { function make() external returns (address) { return address(new ByModifier(msg.sender)); } }
abstract contract Shape { function sides() external virtual returns (uint256); }
`;
/** A contract with more code than a chain accepts. */
const HUGE = `contract Huge { ${Array.from({ length: 180 }, (_, at) => `function f${at}(string memory s) public pure returns (string memory) { return string.concat(s, '${'x'.repeat(90)}${at}'); }`).join('\n')} }`;

let compiled: CompiledModule;
let huge: CompiledModule;
beforeAll(async () => {
  const names = ['Ledger', 'ByModifier', 'ByAuthority', 'Unguarded', 'Unimplemented', 'Maker', 'Shape'];
  compiled = await compileModule(LEDGER, names, { optimizer: { enabled: true, runs: 200 } });
  huge = await compileModule(HUGE, ['Huge']);
});

const NOTHING: DeclaredModule = {
  configuration: { maxEncodedBytes: 64, fields: [] },
  capabilities: { hookPermissions: [], contracts: [] },
  management: { reads: [], actions: [] },
};
const found = (
  contracts: readonly string[],
  declared: Partial<DeclaredModule> = {},
  more: Partial<FindingsInput> = {},
): readonly BuildFinding[] =>
  findBuildFindings({
    submissionId: SUBMISSION_ID,
    declared: { ...NOTHING, ...declared },
    artifact: { targets: compiled.targets.filter(({ contract }) => contracts.includes(contract)) },
    texts: compiled.texts,
    diagnostics: [],
    earlier: [],
    ...more,
  }).findings;
const summaries = (findings: readonly BuildFinding[]): string[] =>
  findings.map(({ code, pointer, detail }) => [code, pointer, detail].filter(Boolean).join(' '));
const flags = (...hookPermissions: DeclaredModule['capabilities']['hookPermissions']): Partial<DeclaredModule> => ({
  capabilities: { hookPermissions, contracts: [] },
});
const reads = (...abis: string[]): Partial<DeclaredModule> => ({
  management: { reads: abis.map((abi) => ({ name: 'total', abi })), actions: [] },
});
const actions = (
  abi: string,
  inputs: readonly ConfigurationField[] = [],
  payable = false,
): Partial<DeclaredModule> => ({
  management: { reads: [], actions: [{ name: 'setTotal', abi, inputs, payable }] },
});
const fieldOf = (
  type: string,
  value: FieldValue | undefined,
  more: Partial<ConfigurationField> = {},
): ConfigurationField => ({
  key: 'k',
  label: 'K',
  type,
  unit: 'none',
  required: true,
  immutable: false,
  default: value,
  ...more,
});
const field = (...args: Parameters<typeof fieldOf>): Partial<DeclaredModule> => ({
  configuration: { maxEncodedBytes: 64, fields: [fieldOf(...args)] },
});

const SET_TOTAL = 'function setTotal(uint256, bytes32[])';
const TO = fieldOf('wei', undefined);
const TAGS = fieldOf('array', undefined, { items: fieldOf('bytes32', undefined) });
const ACTION = 'MANAGEMENT_ACTION';
const INPUTS_DIFFER = `${ACTION}_INPUTS_DIFFER /management/actions/0/inputs setTotal`;
const AT_ACTION = '/management/actions/0/abi setTotal';
const PERMISSIONS = '/capabilities/hookPermissions';
describe('The findings for a module that compiles', () => {
  it.each<[string, string[], Partial<DeclaredModule>, string[]]>([
    ['nothing for a guarded hook that has its flag', ['ByModifier'], flags('beforeSwap'), []],
    ['nothing for a delta whose callback exists', ['ByModifier'], flags('beforeSwap', 'beforeSwapReturnDelta'), []],
    ['a callback without its flag', ['ByModifier'], {}, [`HOOK_CALLBACK_WITHOUT_FLAG ${PERMISSIONS} beforeSwap`]],
    [
      'a flag without its callback',
      ['ByModifier'],
      flags('beforeSwap', 'afterSwap'),
      [`HOOK_FLAG_WITHOUT_CALLBACK ${PERMISSIONS} afterSwap`],
    ],
    [
      'a flag whose callback always reverts',
      ['Unimplemented'],
      flags('beforeSwap'),
      [`HOOK_FLAG_WITHOUT_CALLBACK ${PERMISSIONS} beforeSwap`],
    ],
    [
      'a delta without its callback',
      ['ByModifier'],
      flags('beforeSwap', 'afterSwapReturnDelta'),
      [
        `HOOK_FLAG_WITHOUT_CALLBACK ${PERMISSIONS} afterSwapReturnDelta`,
        `HOOK_DELTA_WITHOUT_CALLBACK ${PERMISSIONS} afterSwapReturnDelta`,
      ],
    ],
    [
      'a callback without a check of its caller',
      ['Unguarded'],
      flags('beforeSwap'),
      [`HOOK_CALLER_UNCHECKED ${PERMISSIONS} beforeSwap`],
    ],
    [
      'a callback whose caller another contract checks',
      ['ByAuthority'],
      flags('beforeSwap'),
      [`HOOK_CALLER_UNDETERMINED ${PERMISSIONS} beforeSwap`],
    ],
    [
      'nothing for reads that exist, under any names',
      ['ByModifier'],
      { ...flags('beforeSwap'), ...reads('function swaps() view returns (uint256)', 'swaps()') },
      [],
    ],
    [
      'a read that is not there',
      ['ByModifier'],
      { ...flags('beforeSwap'), ...reads('function swaps(uint256) view returns (uint256)') },
      ['MANAGEMENT_READ_MISSING /management/reads/0/abi total'],
    ],
    [
      'an invalid signature',
      ['ByModifier'],
      { ...flags('beforeSwap'), ...reads('total') },
      ['MANAGEMENT_ABI_UNREADABLE /management/reads/0/abi total'],
    ],
    [
      'a contract that was not built',
      ['ByModifier'],
      { capabilities: { hookPermissions: ['beforeSwap'], contracts: [{ name: 'ByModifier' }, { name: 'Vault' }] } },
      ['CONTRACT_NOT_BUILT /capabilities/contracts/1/name Vault'],
    ],
    [
      'nothing for defaults that fit',
      ['ByModifier'],
      {
        ...flags('beforeSwap'),
        ...field(
          'tuple',
          {},
          {
            fields: [
              fieldOf('bps', '3', { key: 'a' }),
              fieldOf('enum', 'y', {
                key: 'b',
                options: [
                  { value: 'x', label: 'X' },
                  { value: 'y', label: 'Y' },
                ],
              }),
            ],
          },
        ),
      },
      [],
    ],
    [
      'defaults larger than the declared size',
      ['ByModifier'],
      { ...flags('beforeSwap'), ...field('array', ['1', '2'], { items: fieldOf('wei', undefined) }) },
      ['CONFIGURATION_ENCODING_TOO_LARGE /configuration/fields the defaults take 128 bytes, at most 64 are declared'],
    ],
    [
      'a default beyond its type',
      ['ByModifier'],
      { ...flags('beforeSwap'), ...field('bps', '65536') },
      ['CONFIGURATION_UNENCODABLE /configuration/fields the defaults do not encode: IntegerOutOfRangeError'],
    ],
    ['a contract without code', ['Shape'], {}, ['RUNTIME_EMPTY no runtime: an interface or an abstract contract']],
  ])('report %s', (_what, contracts, declared, expected) => {
    expect(summaries(found(contracts, declared))).toEqual(expected);
  });

  it.each<[string, Partial<DeclaredModule>, string[]]>([
    ['nothing for an action that exists and whose form asks for its inputs', actions(SET_TOTAL, [TO, TAGS]), []],
    ['a form that asks for another type', actions(SET_TOTAL, [fieldOf('bps', undefined), TAGS]), [INPUTS_DIFFER]],
    [
      'a form with one value for an array parameter',
      actions(SET_TOTAL, [TO, fieldOf('bytes32', undefined)]),
      [INPUTS_DIFFER],
    ],
    ['a form of another order', actions(SET_TOTAL, [TAGS, TO]), [INPUTS_DIFFER]],
    ['a form that asks for too little', actions(SET_TOTAL, [TO]), [INPUTS_DIFFER]],
    [
      'a form with an input for an action without parameters',
      actions('function pay() payable', [TO], true),
      [INPUTS_DIFFER],
    ],
    ['an action with other inputs', actions('function setTotal(uint256)'), [`${ACTION}_INPUTS_DIFFER ${AT_ACTION}`]],
    ['an action that is not there', actions('function settle()'), [`${ACTION}_MISSING ${AT_ACTION}`]],
    [
      'a payable action that is not declared as payable',
      actions('function pay()'),
      [`${ACTION}_PAYABLE_DIFFERS ${AT_ACTION}`],
    ],
    ['nothing for a payable action that is declared as payable', actions('function pay() payable', [], true), []],
    [
      'a read that changes state',
      reads('function pay()'),
      ['MANAGEMENT_READ_CHANGES_STATE /management/reads/0/abi total'],
    ],
  ])('report %s', (_what, declared, expected) => {
    const findings = found(['Ledger'], declared).filter(({ code }) => code !== 'OPCODE_FORBIDDEN');
    expect(summaries(findings)).toEqual(expected);
  });

  it('report instructions that modules may not have, with their places', () => {
    const [ledger] = found(['Ledger']);
    expect(ledger).toMatchObject({ code: 'OPCODE_FORBIDDEN', target: { path: MODULE_FILE, contract: 'Ledger' } });
    expect(ledger!.detail).toMatch(/^(SELFDESTRUCT|DELEGATECALL) at \d+, (SELFDESTRUCT|DELEGATECALL) at \d+$/);
    expect(found(['Maker'])[0]!.detail).toMatch(/^CREATE at \d+$/);
  });

  it('report code of a mode that no supported chain runs', () => {
    const [module] = compiled.targets.filter(({ contract }) => contract === 'ByModifier');
    const target = { ...module!, runtime: { ...module!.runtime, object: '0xef0001' as const } };
    expect(summaries(found([], {}, { artifact: { targets: [target] } }))).toEqual([
      'RUNTIME_MODE_UNSUPPORTED the first byte is 0xef',
    ]);
  });

  it('report code larger than a chain accepts', () => {
    const findings = found([], {}, { artifact: huge, texts: huge.texts });
    expect(findings.map(({ code }) => code)).toEqual(['RUNTIME_TOO_LARGE', 'CREATION_TOO_LARGE']);
    expect(findings[0]!.detail).toMatch(/^\d{5} bytes, at most 24576$/);
  });

  it('report the file and line of a compiler warning and of a function', () => {
    const text = 'pragma solidity ^0.8.24;\n\ncontract W {\n  function ünused(uint256 a) external {}\n}';
    const texts = new Map([['src/W.sol', text]]);
    const start = Buffer.byteLength(text.slice(0, text.indexOf('uint256')));
    const diagnostic = { severity: 'warning' as const, type: 'Warning', errorCode: '5667' };
    const diagnostics = [
      { ...diagnostic, sourceLocation: { file: 'src/W.sol', start, end: start + 9 } },
      { ...diagnostic, sourceLocation: { file: 'absent.sol', start: 0, end: 1 } },
      { ...diagnostic, sourceLocation: null },
    ];
    expect(found([], {}, { texts, diagnostics }).map(({ code, source, detail }) => [code, source, detail])).toEqual([
      ['COMPILER_WARNING', { path: 'src/W.sol', line: 4 }, 'Warning 5667'],
      ['COMPILER_WARNING', null, 'Warning 5667'],
      ['COMPILER_WARNING', null, 'Warning 5667'],
    ]);
    const [hook] = found(['Unguarded'], flags('beforeSwap'));
    const line = LEDGER.split('\n').findIndex((one) => one.includes('function beforeSwap')) + 1;
    expect(hook!.source).toEqual({ path: MODULE_FILE, line });
  });

  it('report the most similar earlier module by instructions, not by constants', async () => {
    const fingerprints = findBuildFindings({
      submissionId: SUBMISSION_ID,
      declared: NOTHING,
      artifact: compiled,
      texts: compiled.texts,
      diagnostics: [],
      earlier: [],
    }).fingerprints;
    const copy = await compileModule(LEDGER.replace(': 3000', ': 500').replaceAll('Discount', 'Rebate'), ['Rebate'], {
      optimizer: { enabled: true, runs: 200 },
    });
    const original = await compileModule(LEDGER, ['Discount'], { optimizer: { enabled: true, runs: 200 } });
    const likeness = (module: CompiledModule, earlier: typeof fingerprints): string[] =>
      summaries(
        found([], flags('beforeSwap'), {
          artifact: module,
          texts: module.texts,
          earlier: [{ submissionId: SUBMISSION_ID, fingerprints: earlier }],
        }),
      ).filter((one) => one.startsWith('SIMILAR'));
    const theirs = findBuildFindings({
      ...{ submissionId: SUBMISSION_ID, declared: NOTHING, texts: original.texts, diagnostics: [], earlier: [] },
      artifact: original,
    }).fingerprints;
    expect(likeness(copy, [...fingerprints, ...theirs])).toEqual([
      `SIMILAR_TO_EARLIER_MODULE 100 % like Discount of submission ${SUBMISSION_ID}`,
    ]);
    expect(likeness(huge, [...fingerprints, ...theirs])).toEqual([]);
    expect(likeness(copy, [])).toEqual([]);
  });
});
