import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createCompiler, PINNED_COMPILER_VERSIONS, type CompiledContract, type Compiler } from '@launch/compiler';
import { matchBytecode, type BytecodeMatchResult } from '@launch/evm';
import { startAnvil, type Anvil } from '@launch/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  concatHex,
  createTestClient,
  encodeAbiParameters,
  http,
  publicActions,
  walletActions,
  type Abi,
  type Hex,
} from 'viem';
import {
  isMatched,
  PUBLISHED_UNITS,
  SOMEBODY,
  type PublishedContract,
  type PublishedUnit,
} from './published-units.fixture.js';
import { rowOf, tableOf, type MatchedContract } from './published-table.fixture.js';

jest.setTimeout(600_000);

const DOCUMENT = new URL('../../../../docs/other-peoples-contracts.md', import.meta.url);
const BEGIN = '<!-- table: written by its test -->\n';
const END = '<!-- end of table -->';

let anvil: Anvil;
let compiler: Compiler;
beforeAll(async () => {
  anvil = await startAnvil();
  // A contract's authors may have given the compiler more time than a launch has.
  compiler = createCompiler({ versions: PINNED_COMPILER_VERSIONS, timeoutMs: 240_000, sharesProcesses: true });
});
afterAll(async () => {
  await compiler.close();
  await anvil.stop();
});

const chain = () =>
  createTestClient({ mode: 'anvil', transport: http(anvil.url) })
    .extend(publicActions)
    .extend(walletActions);

/** Deploys the published code with the authors' creation code. */
async function deploy(data: Hex): Promise<{ readonly address: Hex; readonly runtime: Hex }> {
  const client = chain();
  const [account] = await client.getAddresses();
  const hash = await client.sendTransaction({ account: account!, chain: null, data, gas: 30_000_000n });
  const { status, contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  if (status !== 'success' || contractAddress == null) throw new Error('the published code did not deploy');
  return { address: contractAddress, runtime: (await client.getCode({ address: contractAddress }))! };
}

function argumentsOf(compiled: CompiledContract, values: readonly unknown[]): Hex {
  const inputs = (compiled.abi as Abi).find((item) => item.type === 'constructor')?.inputs ?? [];
  return inputs.length === 0 ? '0x' : encodeAbiParameters(inputs, values);
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

interface Judged {
  readonly published: PublishedContract;
  readonly constructorArgs: Hex;
  readonly address: Hex;
  readonly runtime: Hex;
  readonly result: BytecodeMatchResult;
}

async function judge(unit: PublishedUnit): Promise<readonly Judged[]> {
  const asked = { version: unit.compilerVersion, standardJsonInput: encode(unit.input) };
  const contracts = unit.contracts.filter(isMatched);
  const compiled = await compiler.compile({ ...asked, targets: contracts });
  if (compiled.verdict === 'failed') throw new Error(JSON.stringify(compiled.findings));
  const named = await compiler.immutableNames(asked);
  if (named.verdict === 'failed') throw new Error(JSON.stringify(named.findings));
  const addresses = new Map<string, Hex>();
  const judged: Judged[] = [];
  for (const published of contracts) {
    const contract = compiled.output.contracts.find(
      (one) => one.path === published.path && one.contract === published.contract,
    )!;
    const constructorArgs = argumentsOf(
      contract,
      published.args((name) => addresses.get(name) ?? SOMEBODY),
    );
    const { address, runtime } = await deploy(concatHex([published.creationBytecode, constructorArgs]));
    addresses.set(published.contract, address);
    const result = matchBytecode({
      compiled: contract,
      libraries: [],
      immutableNames: named.immutables,
      creationBytecode: published.creationBytecode,
      constructorArgs,
      runtimeBytecode: runtime,
      address,
    });
    judged.push({ published, constructorArgs, address, runtime, result });
  }
  return judged;
}

describe('The published contracts of other authors', () => {
  const table: MatchedContract[] = [];

  describe.each(PUBLISHED_UNITS.map((read) => [read.name, read] as const))('%s', (_name, read) => {
    const unit = read();
    let judged: readonly Judged[];
    beforeAll(async () => {
      judged = await judge(unit);
      table.push(...judged.map(({ published, result }) => ({ unit, published, result })));
    });

    it('compile to the published code, and to the code deployed from it, byte for byte', () => {
      expect(
        judged.map(({ published, result }) => ({
          contract: published.contract,
          verdict: result.verdict,
          mismatches: result.mismatches,
        })),
      ).toEqual(
        unit.contracts.filter(isMatched).map(({ contract }) => ({ contract, verdict: 'pass', mismatches: [] })),
      );
    });
  });

  it('do not match when a setting differs', async () => {
    const unit = PUBLISHED_UNITS[0]!();
    const target = unit.contracts.find(({ contract }) => contract === 'VestingWallet')!;
    const compiled = await compiler.compile({
      version: unit.compilerVersion,
      standardJsonInput: encode({
        ...unit.input,
        settings: { ...unit.input.settings, optimizer: { enabled: true, runs: 201 } },
      }),
      targets: [target],
    });
    if (compiled.verdict === 'failed') throw new Error(JSON.stringify(compiled.findings));
    expect(
      matchBytecode({
        compiled: compiled.output.contracts[0]!,
        libraries: [],
        creationBytecode: target.creationBytecode,
      }),
    ).toMatchObject({ verdict: 'fail', mismatches: [{ code: 'CREATION_BYTECODE_MISMATCH' }] });
  });

  it('appear in the document as they matched', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    const [before, rest] = text.split(BEGIN) as [string, string];
    const [was, after] = rest.split(END) as [string, string];
    const rows = was.split('\n').filter((row) => row.startsWith('| `'));
    const everyone = PUBLISHED_UNITS.flatMap((read) => read().contracts);
    if (process.env['WRITE_TABLE'] === '1') {
      if (table.length < everyone.length) throw new Error('the table is written with PUBLISHED_CONTRACTS=all');
      writeFileSync(DOCUMENT, `${before}${BEGIN}${tableOf(table)}${END}${after}`);
    } else {
      expect(rows.map((row) => row.split('`')[3])).toEqual(everyone.map(({ contract }) => contract));
      expect(table.map(rowOf).filter((row) => !was.includes(row))).toEqual([]);
      if (table.length === everyone.length) expect(was).toBe(tableOf(table));
    }
  });
});
