import { bindSource, nativeHookSalt } from '@launch/evm/sources';
import type { IndexSource } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { compiled, type Compiled } from '@launch/start';
import { startAnvil, type Anvil } from '@launch/testing';
import { encodeDeployData, encodeFunctionData, keccak256, parseEther, parseEventLogs, stringToHex, toHex } from 'viem';
import type { LaunchedRow } from './launched-rows.js';

/** Blocks of an epoch: what is two epochs old is final, deeper than the deepest reorganisation that is measured. */
const EPOCH_BLOCKS = 64;
export const FINAL_AFTER_BLOCKS = 2 * EPOCH_BLOCKS;
const LAUNCH_GAS = toHex(8_000_000);
const DEPLOY_GAS = toHex(28_000_000);
const PACKAGE_ID = keccak256(stringToHex('bench-package'));
const FAMILY_ID = keccak256(stringToHex('bench-family'));
const ABOUT = {
  description: 'Launched to be indexed',
  website: 'https://coin.example/',
  imageURI: 'https://coin.example/coin.png',
} as const;

/** A launch that can be sent: its salt gives its hook an address with the right permissions. */
export interface PreparedLaunch {
  readonly name: string;
  readonly symbol: string;
  readonly data: Hex;
}

export interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Hex | null;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly logs: readonly { readonly logIndex: Hex }[];
}

interface Contracts {
  readonly poolManager: Hex;
  readonly custody: Hex;
  readonly factory: Hex;
  readonly note: Hex;
}

/** Plain anvil as chain 1 with PoolManager and one Foundation factory, which mines on request. */
export class BenchChain {
  #nextSalt = 0n;
  #made = 0;
  #hookInitCodeHash: Hex = '0x';
  #factory!: Compiled;
  #contracts!: Contracts;
  #account!: Hex;

  private constructor(private readonly anvil: Anvil) {}

  static async start(): Promise<BenchChain> {
    const anvil = await startAnvil({
      chainId: 1,
      args: ['--no-mining', '--hardfork', 'prague', '--slots-in-an-epoch', String(EPOCH_BLOCKS), '--order', 'fifo'],
    });
    const chain = new BenchChain(anvil);
    try {
      await chain.#deploy();
      return chain;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }

  get url(): string {
    return this.anvil.url;
  }

  get contracts(): Contracts {
    return this.#contracts;
  }

  async #deploy(): Promise<void> {
    [this.#account] = await this.#ask<[Hex]>('eth_accounts');
    this.#factory = await compiled('FoundationFactoryV3');
    this.#hookInitCodeHash = keccak256((await compiled('FoundationHookV3')).creationCode);
    const made = async (name: string, args: readonly unknown[] = []): Promise<Hex> => {
      const { abi, creationCode } = await compiled(name);
      const data = encodeDeployData({ abi, bytecode: creationCode, args });
      return this.deploy(data);
    };
    const poolManager = await made('PoolManager', [this.#account]);
    const custody = await made('FoundationCustody', [poolManager]);
    const factory = await made('FoundationFactoryV3', [poolManager, custody, this.#account]);
    this.#contracts = { poolManager, custody, factory, note: await made('NoteModule') };
  }

  /** Returns the source that our index is bound to. @param profile makes it another release. */
  async source(profile: string): Promise<IndexSource> {
    const bound = async (address: Hex) => ({
      address,
      runtimeCodeHash: keccak256(await this.#ask<Hex>('eth_getCode', address, 'latest')),
    });
    const { factory, poolManager, custody } = this.#contracts;
    return bindSource({
      sourceVersion: 'module-foundation-v1',
      chainId: 1,
      startBlock: '1',
      endBlock: null,
      ...(await bound(factory)),
      factoryVersion: 'V3',
      contracts: { poolManager: await bound(poolManager), custody: await bound(custody) },
      profile,
      sourceCommit: 'c'.repeat(40),
    });
  }

  /** Prepares launches with their salts, so that the slow search for salts is not measured. */
  prepare(count: number): readonly PreparedLaunch[] {
    return Array.from({ length: count }, () => {
      const place = {
        launcher: this.#contracts.factory,
        launchWallet: this.#account,
        hookInitCodeHash: this.#hookInitCodeHash,
      };
      const salt = nativeHookSalt(place, this.#nextSalt);
      this.#nextSalt = BigInt(salt) + 1n;
      this.#made += 1;
      const [name, symbol] = [`Coin ${this.#made}`, `C${this.#made}`];
      const recipe = {
        salt,
        name,
        symbol,
        totalSupply: parseEther('1000000000'),
        ...ABOUT,
        socialData: stringToHex('{"v":1,"x":"https://x.example/coin"}'),
        modules: [
          { packageId: PACKAGE_ID, familyId: FAMILY_ID, instance: this.#contracts.note, configuration: '0x01' },
        ],
        tickLower: -887_220,
        tickUpper: 0,
        creatorBuyFeeBps: 100,
        creatorSellFeeBps: 200,
        minInitialBuyTokens: 0n,
      };
      const data = encodeFunctionData({ abi: this.#factory.abi, functionName: 'launch', args: [recipe] });
      return { name, symbol, data };
    });
  }

  /** Mines a block for each launch, with empty ones behind it. @returns the rows that an index of the chain must have. */
  async launch(launches: readonly PreparedLaunch[], emptyBlocks = 0): Promise<readonly LaunchedRow[]> {
    return this.rowsOf(launches, await this.send(launches, emptyBlocks));
  }

  /** Mines the launches without reading them yet. @returns the transactions. */
  async send(launches: readonly PreparedLaunch[], emptyBlocks = 0): Promise<readonly Hex[]> {
    const sent: Hex[] = [];
    for (const { data } of launches) {
      sent.push(await this.transact({ to: this.#contracts.factory, data, gas: LAUNCH_GAS }));
      await this.mine(1 + emptyBlocks);
    }
    return sent;
  }

  async rowsOf(launches: readonly PreparedLaunch[], sent: readonly Hex[]): Promise<readonly LaunchedRow[]> {
    return Promise.all(
      launches.map(async (launch, index) => this.#rowOf(launch, await this.receiptOf(sent[index] as Hex))),
    );
  }

  async mine(blocks: number): Promise<void> {
    if (blocks > 0) await this.#ask('anvil_mine', toHex(blocks));
  }

  /** Sends from the account that launches, to be mined. */
  transact(transaction: object): Promise<Hex> {
    return this.#ask<Hex>('eth_sendTransaction', { from: this.#account, ...transaction });
  }

  /** @param data creation code with its arguments. */
  async deploy(data: Hex, value = 0n): Promise<Hex> {
    const { contractAddress } = await this.#mined(await this.transact({ data, value: toHex(value), gas: DEPLOY_GAS }));
    return contractAddress!.toLowerCase() as Hex;
  }

  /** @throws Error where it is not mined, or failed. */
  async receiptOf(hash: Hex): Promise<Receipt> {
    const receipt = await this.#ask<Receipt | null>('eth_getTransactionReceipt', hash);
    if (receipt?.status !== '0x1') throw new Error(`transaction ${hash} of the bench's chain failed`);
    return receipt;
  }

  /** @returns unix seconds. */
  async timeOf(blockHash: Hex): Promise<string> {
    const { timestamp } = await this.#ask<{ timestamp: Hex }>('eth_getBlockByHash', blockHash, false);
    return BigInt(timestamp).toString();
  }

  /** Remembers the chain as it is, to be taken back to. */
  snapshot(): Promise<Hex> {
    return this.#ask<Hex>('evm_snapshot');
  }

  async takeBack(snapshot: Hex): Promise<void> {
    if (!(await this.#ask<boolean>('evm_revert', snapshot))) throw new Error('the chain was not taken back');
  }

  stop(): Promise<void> {
    return this.anvil.stop();
  }

  async #mined(hash: Hex): Promise<Receipt> {
    await this.mine(1);
    return this.receiptOf(hash);
  }

  async #rowOf({ name, symbol }: PreparedLaunch, receipt: Receipt): Promise<LaunchedRow> {
    const { blockNumber, blockHash, transactionHash } = receipt;
    const [event, another] = parseEventLogs({
      abi: this.#factory.abi,
      eventName: 'FoundationLaunchedV3',
      logs: receipt.logs as never,
    }) as unknown as readonly { readonly args: Readonly<Record<string, Hex>>; readonly logIndex: Hex | number }[];
    if (event === undefined || another !== undefined) throw new Error(`transaction ${transactionHash} is no launch`);
    const { token, creator, poolId, hook } = event.args as { token: Hex; creator: Hex; poolId: Hex; hook: Hex };
    return {
      token,
      creator,
      poolManager: this.#contracts.poolManager,
      poolId,
      hook,
      blockNumber: BigInt(blockNumber).toString(),
      blockHash,
      transactionHash,
      logIndex: Number(event.logIndex),
      launchedAt: await this.timeOf(blockHash),
      name,
      symbol,
      decimals: 18,
      packageIds: [PACKAGE_ID],
      familyIds: [FAMILY_ID],
      description: ABOUT.description,
      website: ABOUT.website,
      imageUrl: ABOUT.imageURI,
    };
  }

  async #ask<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result: T; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }
}
