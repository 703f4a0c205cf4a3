import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import { z } from 'zod';
import { DevnetError } from './devnet.errors.js';

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);
const artifactSchema = z.object({ abi: z.array(z.unknown()), creationCode: hex, runtimeCode: hex });
const poolManagerSchema = z.object({ abi: z.array(z.unknown()), bytecode: z.object({ object: hex }) });

export interface Artifact {
  readonly abi: Abi;
  readonly creationCode: Hex;
  readonly runtimeCode: Hex | null;
}

export interface Artifacts {
  readonly router: Artifact;
  readonly poolManager: Artifact;
  readonly bridge: Artifact;
  readonly sequencerInbox: Artifact;
  readonly routerV1: Artifact;
  readonly priceFeed: Artifact;
  readonly batchAccount: Artifact;
  readonly moduleRegistry: Artifact;
  readonly noteModule: Artifact;
  readonly openingModule: Artifact;
  readonly nativeLauncherV1: Artifact;
  readonly nativeLauncherV2: Artifact;
  readonly moduleEngineV1: Artifact;
  readonly misstatingLauncher: Artifact;
  readonly foundationCustody: Artifact;
  readonly foundationFactoryV1: Artifact;
  readonly foundationFactoryV2: Artifact;
  readonly foundationFactoryV3: Artifact;
  readonly graphRouter: Artifact;
  readonly graphFactoryV1: Artifact;
  readonly graphFactoryV2: Artifact;
}

const artifactsDir = new URL('../../../solidity/artifacts/', import.meta.url);

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new DevnetError('ARTIFACT_MISSING', 'a contract is not compiled: run the generate step', { file }, { cause });
  }
}

async function readArtifact(name: string): Promise<Artifact> {
  const file = fileURLToPath(new URL(`${name}.json`, artifactsDir));
  const parsed = artifactSchema.safeParse(await readJson(file));
  if (!parsed.success) throw new DevnetError('ARTIFACT_MISSING', 'a compiled contract has another shape', { file });
  return { ...parsed.data, abi: parsed.data.abi as Abi };
}

/** Reads Uniswap's own build from its npm package, which is never copied or compiled here. */
async function readPoolManager(): Promise<Artifact> {
  const file = createRequire(import.meta.url).resolve('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json');
  const parsed = poolManagerSchema.safeParse(await readJson(file));
  if (!parsed.success) throw new DevnetError('ARTIFACT_MISSING', 'the PoolManager build has another shape', { file });
  return { abi: parsed.data.abi as Abi, creationCode: parsed.data.bytecode.object, runtimeCode: null };
}

/** The file of each contract that is compiled here. */
const FILES = {
  router: 'MultiRoleLaunchStampRouterV2',
  bridge: 'devnet/Bridge',
  sequencerInbox: 'devnet/SequencerInbox',
  routerV1: 'ServiceLaunchStampRouterV1',
  priceFeed: 'devnet/PriceFeed',
  batchAccount: 'devnet/BatchAccount',
  moduleRegistry: 'ModuleRegistry',
  noteModule: 'NoteModule',
  openingModule: 'OpeningModule',
  nativeLauncherV1: 'ModuleNativeLauncherV1',
  nativeLauncherV2: 'ModuleNativeLauncherV2',
  moduleEngineV1: 'ModuleEngineV1',
  misstatingLauncher: 'MisstatingLauncher',
  foundationCustody: 'FoundationCustody',
  foundationFactoryV1: 'FoundationFactoryV1',
  foundationFactoryV2: 'FoundationFactoryV2',
  foundationFactoryV3: 'FoundationFactoryV3',
  graphRouter: 'EthereumLaunchStampRouterV1',
  graphFactoryV1: 'FoundationGraphFactoryV1',
  graphFactoryV2: 'FoundationGraphFactoryV2',
} as const satisfies Record<Exclude<keyof Artifacts, 'poolManager'>, string>;

/** @throws DevnetError `ARTIFACT_MISSING` naming the file. */
export async function readArtifacts(): Promise<Artifacts> {
  const read = Object.entries(FILES).map(async ([name, file]) => [name, await readArtifact(file)] as const);
  const own = Object.fromEntries(await Promise.all(read)) as Omit<Artifacts, 'poolManager'>;
  return { ...own, poolManager: await readPoolManager() };
}
