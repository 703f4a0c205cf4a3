import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Hex } from 'viem';

type Sources = Record<string, { readonly content: string }>;

/** A contract whose code a package published, and its constructor arguments. */
export interface PublishedContract {
  readonly path: string;
  readonly contract: string;
  /** The published code, without constructor arguments. */
  readonly creationBytecode: Hex;
  /** Returns the constructor arguments; contracts deployed earlier are available by name. */
  readonly args: (deployed: (contract: string) => Hex) => readonly unknown[];
}

/**
 * Contracts that compile in about a second or more, and of a kind that others cover. `npm test` leaves them to the nightly run.
 */
const AT_NIGHT = new Set([
  'TimelockController',
  'AccessManager',
  'ERC2771Forwarder',
  'TransparentUpgradeableProxy',
  'PoolManager',
]);

/** Returns whether a run matches a contract: every one with `PUBLISHED_CONTRACTS=all`, else a few of each kind. */
export const isMatched = ({ contract }: PublishedContract): boolean =>
  process.env['PUBLISHED_CONTRACTS'] === 'all' || !AT_NIGHT.has(contract);

/** Sources of one npm package, with the compiler and the settings of its authors. */
export interface PublishedUnit {
  readonly package: string;
  readonly version: string;
  readonly compilerVersion: string;
  readonly input: {
    readonly language: 'Solidity';
    readonly sources: Sources;
    readonly settings: Readonly<Record<string, unknown>>;
  };
  /** In the order of their deployment. */
  readonly contracts: readonly PublishedContract[];
}

/** An account that does not exist. It also replaces a contract that a run does not deploy. */
export const SOMEBODY: Hex = `0x${'a1'.repeat(20)}`;
const NOTHING = (): readonly unknown[] => [];

const folderOf = (name: string): string => path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const readJson = <T>(...parts: readonly string[]): T => JSON.parse(readFileSync(path.join(...parts), 'utf8')) as T;
const versionOf = (folder: string): string => readJson<{ version: string }>(folder, 'package.json').version;

function sourcesUnder(folder: string, prefix: string): Sources {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sol'));
  return Object.fromEntries(
    files.sort().map((file) => [`${prefix}${file}`, { content: readFileSync(path.join(folder, file), 'utf8') }]),
  );
}

/**
 * OpenZeppelin publishes sources and artifacts; the settings are those of its repository's hardhat.config.js. Every source of
 * the package is in the input, as it was in their compilation.
 */
function openZeppelin(): PublishedUnit {
  const folder = folderOf('openzeppelin-contracts-5.3.0');
  const published = (contract: string, args: PublishedContract['args'] = NOTHING): PublishedContract => {
    const artifact = readJson<{ sourceName: string; bytecode: Hex }>(folder, 'build/contracts', `${contract}.json`);
    return { path: artifact.sourceName, contract, creationBytecode: artifact.bytecode, args };
  };
  return {
    package: '@openzeppelin/contracts',
    version: versionOf(folder),
    compilerVersion: '0.8.24',
    input: {
      language: 'Solidity',
      sources: sourcesUnder(folder, 'contracts/'),
      settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
    },
    contracts: [
      published('Checkpoints'),
      published('VestingWallet', () => [SOMEBODY, 1_000n, 2_000n]),
      published('TimelockController', () => [60n, [SOMEBODY], [SOMEBODY], SOMEBODY]),
      published('AccessManager', () => [SOMEBODY]),
      published('ERC2771Forwarder', () => ['Forwarder']),
      published('UpgradeableBeacon', (deployed) => [deployed('VestingWallet'), SOMEBODY]),
      published('BeaconProxy', (deployed) => [deployed('UpgradeableBeacon'), '0x']),
      published('TransparentUpgradeableProxy', (deployed) => [deployed('VestingWallet'), SOMEBODY, '0x']),
    ],
  };
}

/** Uniswap publishes forge's output: each artifact contains its metadata, with the settings and the names of its sources. */
function uniswapV4(): PublishedUnit {
  const folder = folderOf('@uniswap/v4-core');
  interface Artifact {
    readonly bytecode: { readonly object: Hex };
    readonly metadata: {
      readonly compiler: { readonly version: string };
      readonly settings: Record<string, unknown>;
      readonly sources: Record<string, unknown>;
    };
  }
  const artifact = (file: string, contract: string): Artifact =>
    readJson(folder, 'out', path.basename(file), `${contract}.json`);
  const published = (file: string, contract: string, args: PublishedContract['args'] = NOTHING): PublishedContract => ({
    path: file,
    contract,
    creationBytecode: artifact(file, contract).bytecode.object,
    args,
  });
  const contracts = [
    published('src/libraries/Pool.sol', 'Pool'),
    published('src/PoolManager.sol', 'PoolManager', () => [SOMEBODY]),
    published('src/test/PoolSwapTest.sol', 'PoolSwapTest', (deployed) => [deployed('PoolManager')]),
  ];
  const files = new Set(contracts.flatMap((one) => Object.keys(artifact(one.path, one.contract).metadata.sources)));
  const { compiler, settings } = artifact('src/PoolManager.sol', 'PoolManager').metadata;
  // The members that metadata adds to the compiler's settings.
  const { compilationTarget: _target, libraries: _libraries, ...given } = settings;
  return {
    package: '@uniswap/v4-core',
    version: versionOf(folder),
    compilerVersion: compiler.version.split('+')[0]!,
    input: {
      language: 'Solidity',
      sources: Object.fromEntries(
        [...files].sort().map((file) => [file, { content: readFileSync(path.join(folder, file), 'utf8') }]),
      ),
      settings: given,
    },
    contracts,
  };
}

/** Safe publishes hardhat's output, including its Standard JSON input and the compiler's whole output. */
function safePasskey(): PublishedUnit {
  const folder = folderOf('@safe-global/safe-passkey');
  const builds = path.join(folder, 'build/artifacts/build-info');
  interface Build {
    readonly solcVersion: string;
    readonly input: PublishedUnit['input'];
    readonly output: {
      readonly contracts: Record<
        string,
        Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>
      >;
    };
  }
  const [only, ...others] = readdirSync(builds);
  if (only === undefined || others.length > 0) throw new Error('one build was expected');
  const { solcVersion, input, output } = readJson<Build>(builds, only);
  const published = (file: string, contract: string, args: PublishedContract['args'] = NOTHING): PublishedContract => ({
    path: file,
    contract,
    creationBytecode: `0x${output.contracts[file]![contract]!.evm.bytecode.object}`,
    args,
  });
  return {
    package: '@safe-global/safe-passkey',
    version: versionOf(folder),
    compilerVersion: solcVersion,
    input,
    contracts: [
      published('contracts/libraries/WebAuthn.sol', 'WebAuthn'),
      published('contracts/vendor/FCL/FCL_elliptic.sol', 'FCL_Elliptic_ZZ'),
      published('contracts/verifiers/FCLP256Verifier.sol', 'FCLP256Verifier'),
      published('contracts/SafeWebAuthnSignerSingleton.sol', 'SafeWebAuthnSignerSingleton'),
      published('contracts/SafeWebAuthnSignerFactory.sol', 'SafeWebAuthnSignerFactory'),
      published('contracts/SafeWebAuthnSignerProxy.sol', 'SafeWebAuthnSignerProxy', (deployed) => [
        deployed('SafeWebAuthnSignerSingleton'),
        1n,
        2n,
        3n,
      ]),
      published('contracts/4337/SafeWebAuthnSharedSigner.sol', 'SafeWebAuthnSharedSigner'),
      published('@safe-global/safe-contracts/contracts/libraries/MultiSend.sol', 'MultiSend'),
      published('@safe-global/safe-contracts/contracts/proxies/SafeProxyFactory.sol', 'SafeProxyFactory'),
      published('@safe-global/safe-contracts/contracts/proxies/SafeProxy.sol', 'SafeProxy', (deployed) => [
        deployed('MultiSend'),
      ]),
    ],
  };
}

/** Every unit, read from the installed packages. */
export const PUBLISHED_UNITS: readonly (() => PublishedUnit)[] = [openZeppelin, uniswapV4, safePasskey];
