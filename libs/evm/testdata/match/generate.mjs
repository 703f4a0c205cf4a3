/**
 * Writes `bases/`: contracts compiled by pinned compilers, and their runtimes as a real chain stores them after
 * deployment. Run it by hand to add a base: `node libs/evm/testdata/match/generate.mjs <path of anvil>`.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { concatHex, encodeAbiParameters } from 'viem/utils';

const require = createRequire(import.meta.url);
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library Doubling { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
contract Base { uint256 immutable seed; constructor(uint256 s) { seed = s; } }
contract Sample is Base {
    address public immutable owner;
    uint256 public immutable limit;
    bytes32 private immutable label;
    string public name;
    constructor(uint256 s, address o, uint256 l, string memory n) Base(s) { owner = o; limit = l; label = keccak256(bytes(n)); name = n; }
    function check(uint256 x) external view returns (bool) { return msg.sender == owner && Doubling.twice(x) < limit && x > seed; }
    function again(uint256 x) external view returns (uint256) { return x + limit + seed; }
    function tag() external view returns (bytes32) { return label; }
}
contract Plain { uint256 public value; function set(uint256 v) external { value = v; } }
`;
/** A library that changes state, so that its code contains its own address with either code generator. */
const LIBRARY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library Ledger {
    struct Book { mapping(address => uint256) entries; uint256 sum; }
    event Entered(address indexed account, uint256 amount);
    function enter(Book storage book, uint256 amount) external { book.entries[msg.sender] += amount; book.sum += amount; emit Entered(msg.sender, amount); }
    function clear(Book storage book) external { book.sum = 0; delete book.entries[msg.sender]; }
    function double(uint256 x) external pure returns (uint256) { return 2 * x; }
}
interface Entering { function enter(uint256 amount) external; }
abstract contract Partial is Entering { uint256 public sum; function double(uint256 x) public pure returns (uint256) { return 2 * x; } }
`;

const VARIANTS = [
  { name: 'solc-0.8.26-legacy', compiler: 'solc-0.8.26', viaIR: false, metadata: false },
  { name: 'solc-0.8.30-via-ir-metadata', compiler: 'solc-0.8.30', viaIR: true, metadata: true },
];
const LIBRARY_VARIANTS = [
  { name: 'solc-0.8.24-legacy-paris', compiler: 'solc-0.8.24', settings: { evmVersion: 'paris' } },
  { name: 'solc-0.8.26-legacy', compiler: 'solc-0.8.26', settings: { optimizer: { enabled: true, runs: 200 }, metadata: { appendCBOR: false, bytecodeHash: 'none' } } },
  { name: 'solc-0.8.24-via-ir', compiler: 'solc-0.8.24', settings: { viaIR: true } },
  { name: 'solc-0.8.30-via-ir-optimized', compiler: 'solc-0.8.30', settings: { viaIR: true, optimizer: { enabled: true, runs: 200 }, metadata: { appendCBOR: false, bytecodeHash: 'none' } } },
];
const CODE_OUTPUTS = ['abi', 'evm.bytecode', 'evm.deployedBytecode'];

const [, , anvilPath] = process.argv;
const anvil = spawn(anvilPath, ['--port', '0', '--chain-id', '4663'], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => anvil.kill('SIGKILL'));
let url;
for await (const line of createInterface({ input: anvil.stdout })) {
  const match = /Listening on (\S+)/.exec(line);
  if (match) {
    url = `http://${match[1]}`;
    break;
  }
}

async function rpc(method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const [from] = await rpc('eth_accounts', []);

async function deploy(data) {
  const hash = await rpc('eth_sendTransaction', [{ from, data, gas: '0x1c9c380' }]);
  const { contractAddress, status } = await rpc('eth_getTransactionReceipt', [hash]);
  if (status !== '0x1') throw new Error('deployment reverted');
  return { address: contractAddress, code: await rpc('eth_getCode', [contractAddress, 'latest']) };
}

const zeroed = (object) => `0x${object.replace(/__\$[0-9a-f]{34}\$__/g, '0'.repeat(40))}`;

function link(code, references, address) {
  let hex = code.slice(2);
  for (const ranges of Object.values(references).flatMap((libraries) => Object.values(libraries)))
    for (const { start } of ranges) hex = hex.slice(0, 2 * start) + address.slice(2) + hex.slice(2 * start + 40);
  return `0x${hex}`;
}

function immutables(ast, found = []) {
  if (Array.isArray(ast)) ast.forEach((node) => immutables(node, found));
  else if (ast && typeof ast === 'object') {
    if (ast.nodeType === 'VariableDeclaration' && ast.mutability === 'immutable') found.push({ astId: ast.id, name: ast.name });
    Object.values(ast).forEach((node) => immutables(node, found));
  }
  return found;
}

const code = (contract) => ({
  abi: contract.abi,
  creation: { object: zeroed(contract.evm.bytecode.object), linkReferences: contract.evm.bytecode.linkReferences },
  runtime: {
    object: zeroed(contract.evm.deployedBytecode.object),
    linkReferences: contract.evm.deployedBytecode.linkReferences,
    immutableReferences: contract.evm.deployedBytecode.immutableReferences,
  },
});

function writeBases(bases) {
  for (const [base, content] of Object.entries(bases)) writeFileSync(new URL(`bases/${base}.json`, import.meta.url), `${JSON.stringify(content, null, 1)}\n`);
}

for (const { name, compiler, viaIR, metadata } of VARIANTS) {
  const input = {
    language: 'Solidity',
    sources: { 'Sample.sol': { content: SOURCE } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      viaIR,
      metadata: metadata ? { bytecodeHash: 'ipfs' } : { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': CODE_OUTPUTS, '': ['ast'] } },
    },
  };
  const output = JSON.parse(require(compiler).compile(JSON.stringify(input)));
  const contracts = output.contracts['Sample.sol'];
  const library = (await deploy(`0x${contracts.Doubling.evm.bytecode.object}`)).address;
  const constructorArgs = encodeAbiParameters(contracts.Sample.abi.find(({ type }) => type === 'constructor').inputs, [7n, from, 1000n, 'Sample']);
  const compiled = code(contracts.Sample);
  const creationBytecode = link(compiled.creation.object, compiled.creation.linkReferences, library);
  const { code: runtimeBytecode } = await deploy(concatHex([creationBytecode, constructorArgs]));
  const plain = code(contracts.Plain);
  const bases = {
    [`${name}.sample`]: {
      compiled,
      libraries: [{ path: 'Sample.sol', name: 'Doubling', address: library }],
      immutableNames: immutables(output.sources['Sample.sol'].ast),
      creationBytecode,
      constructorArgs,
      runtimeBytecode,
    },
    [`${name}.plain`]: {
      compiled: plain,
      libraries: [],
      creationBytecode: plain.creation.object,
      constructorArgs: '0x',
      runtimeBytecode: (await deploy(plain.creation.object)).code,
    },
  };
  writeBases(bases);
}

for (const { name, compiler, settings } of LIBRARY_VARIANTS) {
  const input = { language: 'Solidity', sources: { 'Ledger.sol': { content: LIBRARY } }, settings: { ...settings, outputSelection: { '*': { '*': CODE_OUTPUTS } } } };
  const contracts = JSON.parse(require(compiler).compile(JSON.stringify(input))).contracts['Ledger.sol'];
  const compiled = code(contracts.Ledger);
  const { address, code: runtimeBytecode } = await deploy(compiled.creation.object);
  const codeless = (contract) => ({ compiled: code(contract), libraries: [], creationBytecode: '0x', constructorArgs: '0x', runtimeBytecode: '0x' });
  writeBases({
    [`${name}.library`]: { compiled, libraries: [], creationBytecode: compiled.creation.object, constructorArgs: '0x', runtimeBytecode, address },
    ...(name === 'solc-0.8.26-legacy' ? { [`${name}.interface`]: codeless(contracts.Entering), [`${name}.abstract`]: codeless(contracts.Partial) } : {}),
  });
}
process.exit(0);
