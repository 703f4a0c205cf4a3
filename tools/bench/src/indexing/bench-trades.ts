import type { Hex } from '@launch/contracts/primitives';
import { compiled, type Compiled } from '@launch/start';
import { encodeDeployData, encodeFunctionData, parseEther, parseEventLogs, toHex, zeroAddress } from 'viem';
import type { BenchChain, Receipt } from './bench-chain.js';
import type { LaunchedRow } from './launched-rows.js';
import type { TradedRow } from './traded-rows.js';

const FUNDS = parseEther('1000');
const BUY = parseEther('0.001');
/** Every so many trades one sells, for less than the others bought. */
const SELL_EVERY = 4;
const LOWEST_PRICE = 4_295_128_740n;
const HIGHEST_PRICE = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;
const TRADE_GAS = toHex(600_000);

interface DecodedEvent {
  readonly logIndex: number;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A contract that trades in launched pools, out of its own balances. */
export class BenchTrades {
  private constructor(
    private readonly chain: BenchChain,
    private readonly pools: readonly LaunchedRow[],
    private readonly trader: Compiled,
    private readonly address: Hex,
    private readonly compiled: { readonly manager: Compiled; readonly hook: Compiled },
  ) {}

  static async open(chain: BenchChain, pools: readonly LaunchedRow[]): Promise<BenchTrades> {
    const [trader, manager, hook] = await Promise.all(['Trader', 'PoolManager', 'FoundationHookV3'].map(compiled));
    const { abi, creationCode } = trader!;
    const data = encodeDeployData({ abi, bytecode: creationCode, args: [chain.contracts.poolManager] });
    const address = await chain.deploy(data, FUNDS);
    return new BenchTrades(chain, pools, trader!, address, { manager: manager!, hook: hook! });
  }

  /** Mines blocks of trades, the pools in turns. @returns the rows that an index of the chain has to have. */
  async make(blocks: number, tradesOfBlock: number): Promise<readonly TradedRow[]> {
    const rows: TradedRow[] = [];
    let made = 0;
    for (let block = 0; block < blocks; block += 1) {
      const sent: { readonly pool: LaunchedRow; readonly hash: Hex }[] = [];
      for (let trade = 0; trade < tradesOfBlock; trade += 1) {
        const pool = this.pools[made % this.pools.length]!;
        const isSale = Math.floor(made / this.pools.length) % SELL_EVERY === SELL_EVERY - 1;
        const data = this.#tradeOf(pool, isSale, BigInt(made));
        sent.push({ pool, hash: await this.chain.transact({ to: this.address, data, gas: TRADE_GAS }) });
        made += 1;
      }
      await this.chain.mine(1);
      const receipts = await Promise.all(sent.map(({ hash }) => this.chain.receiptOf(hash)));
      const blockTime = await this.chain.timeOf(receipts[0]!.blockHash);
      rows.push(...receipts.map((receipt, index) => this.#rowOf(sent[index]!.pool, receipt, blockTime)));
    }
    return rows;
  }

  /** @param more makes it a trade of an amount of its own. */
  #tradeOf({ token, hook }: LaunchedRow, isSale: boolean, more: bigint): Hex {
    const poolKey = { currency0: zeroAddress, currency1: token, fee: 0, tickSpacing: 60, hooks: hook };
    const params = isSale
      ? { zeroForOne: false, amountSpecified: -(BUY / 2n + more), sqrtPriceLimitX96: HIGHEST_PRICE }
      : { zeroForOne: true, amountSpecified: -(BUY + more), sqrtPriceLimitX96: LOWEST_PRICE };
    return encodeFunctionData({ abi: this.trader.abi, functionName: 'swap', args: [poolKey, params] });
  }

  #rowOf({ token, poolId }: LaunchedRow, receipt: Receipt, blockTime: string): TradedRow {
    const { transactionHash, blockNumber, blockHash } = receipt;
    const only = (by: Compiled, eventName: string): DecodedEvent => {
      const [one, another] = parseEventLogs({
        abi: by.abi,
        eventName,
        logs: receipt.logs as never,
      }) as unknown as readonly DecodedEvent[];
      if (one === undefined || another !== undefined) throw new Error(`transaction ${transactionHash} is no trade`);
      return one;
    };
    const [swap, charged] = [only(this.compiled.manager, 'Swap'), only(this.compiled.hook, 'FoundationSwap')];
    const text = ({ args }: DecodedEvent, name: string): string => String(args[name]);
    return {
      token,
      poolId,
      blockNumber: BigInt(blockNumber).toString(),
      blockHash,
      blockTime,
      transactionHash,
      logIndex: Number(swap.logIndex),
      caller: text(swap, 'sender'),
      amount0: text(swap, 'amount0'),
      amount1: text(swap, 'amount1'),
      sqrtPriceX96: text(swap, 'sqrtPriceX96'),
      liquidity: text(swap, 'liquidity'),
      tick: Number(swap.args['tick']),
      grossQuote: text(charged, 'grossQuote'),
      platformQuote: text(charged, 'platformQuote'),
      creatorQuote: text(charged, 'creatorQuote'),
    };
  }
}
