import { ponder } from 'ponder:registry';
import { pool, swap } from 'ponder:schema';

ponder.on('Pools:FoundationLaunchedV3', async ({ event, context }) => {
  const { poolId, token, hook } = event.args;
  const poolManager = process.env.POOL_MANAGER as `0x${string}`;
  await context.db.insert(pool).values({ id: poolId, token, poolManager, hook });
});

/** The last trade of a pool in a transaction: the hook's account of it follows it. */
const last = { transaction: '', ids: new Map<string, string>() };

ponder.on('PoolManager:Swap', async ({ event, context }) => {
  const { id: poolId, sender, amount0, amount1, sqrtPriceX96, liquidity, tick } = event.args;
  const known = await context.db.find(pool, { id: poolId });
  if (known === null) return;
  const { hash } = event.transaction;
  const id = `${hash}/${event.log.logIndex}`;
  if (last.transaction !== hash) last.ids.clear();
  last.transaction = hash;
  last.ids.set(poolId, id);
  await context.db.insert(swap).values({
    id,
    chainId: 1,
    tokenAddress: known.token,
    poolId,
    blockNumber: event.block.number,
    blockHash: event.block.hash,
    blockTime: event.block.timestamp,
    transactionHash: hash,
    logIndex: event.log.logIndex,
    caller: sender,
    amount0,
    amount1,
    sqrtPriceX96,
    liquidity,
    tick,
  });
});

ponder.on('Hook:FoundationSwap', async ({ event, context }) => {
  const { poolId, router, coreAmount0, coreAmount1, grossQuote, platformQuote, creatorQuote } = event.args;
  const id = last.transaction === event.transaction.hash ? last.ids.get(poolId) : undefined;
  if (id === undefined) return;
  const trade = await context.db.find(swap, { id });
  if (trade === null || trade.grossQuote !== null) return;
  if (trade.caller.toLowerCase() !== router.toLowerCase()) return;
  if (trade.amount0 !== coreAmount0 || trade.amount1 !== coreAmount1) return;
  await context.db.update(swap, { id }).set({ grossQuote, platformQuote, creatorQuote });
});
