/**
 * Compiles `solidity/devnet/*.sol` into `solidity/artifacts/devnet/<Contract>.json` with the settings of all Solidity in this
 * repository. Does nothing if the artifacts were compiled from these exact bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const sourceDir = fileURLToPath(new URL('../../solidity/devnet/', import.meta.url));
const outputDir = fileURLToPath(new URL('../../solidity/artifacts/devnet/', import.meta.url));
const COMPILER = 'solc-0.8.26';

const names = readdirSync(sourceDir)
  .filter((name) => name.endsWith('.sol'))
  .sort();
const sources = Object.fromEntries(names.map((name) => [name, { content: readFileSync(sourceDir + name, 'utf8') }]));
const input = JSON.stringify({
  language: 'Solidity',
  sources,
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'cancun',
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
  },
});
const inputSha256 = `sha256:${createHash('sha256').update(COMPILER).update(input).digest('hex')}`;

function isCurrent(contract) {
  try {
    return JSON.parse(readFileSync(`${outputDir}${contract}.json`, 'utf8')).inputSha256 === inputSha256;
  } catch {
    return false;
  }
}

function writeArtifact(path, contract, compiled) {
  const artifact = {
    contract,
    path: `devnet/${path}`,
    compiler: COMPILER,
    inputSha256,
    abi: compiled.abi,
    creationCode: `0x${compiled.evm.bytecode.object}`,
    runtimeCode: `0x${compiled.evm.deployedBytecode.object}`,
    immutableReferences: compiled.evm.deployedBytecode.immutableReferences ?? {},
  };
  const target = `${outputDir}${contract}.json`;
  const temporary = `${target}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(artifact, null, 1)}\n`);
  renameSync(temporary, target);
}

if (!names.every((name) => isCurrent(name.replace(/\.sol$/, '')))) {
  const solc = createRequire(import.meta.url)(COMPILER);
  const output = JSON.parse(solc.compile(input));
  const problems = output.errors ?? [];
  if (problems.length > 0) {
    for (const problem of problems) process.stderr.write(`${problem.formattedMessage}\n`);
    process.exit(1);
  }
  mkdirSync(outputDir, { recursive: true });
  for (const [path, contracts] of Object.entries(output.contracts)) {
    for (const [contract, compiled] of Object.entries(contracts)) writeArtifact(path, contract, compiled);
  }
}
