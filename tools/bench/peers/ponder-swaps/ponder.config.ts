import { createConfig, factory } from 'ponder';
import { getAbiItem, http } from 'viem';
import { FOUNDATION_ABI } from './foundation.abi';
import { SWAP_ABI } from './swap.abi';

const FACTORY = process.env.FACTORY as `0x${string}`;
const place = { network: 'l1', startBlock: Number(process.env.START_BLOCK) } as const;

export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DATABASE_URL! },
  networks: {
    l1: {
      chainId: 1,
      transport: http(process.env.RPC_URL!),
      pollingInterval: Number(process.env.POLL_MS),
      // Its default is 50, a manner towards providers that the other side does not have.
      maxRequestsPerSecond: 100_000,
    },
  },
  contracts: {
    Factory: { ...place, abi: FOUNDATION_ABI, address: FACTORY },
    // One event has one handler for each contract: this one handles the pools.
    Pools: { ...place, abi: FOUNDATION_ABI, address: FACTORY },
    PoolManager: { ...place, abi: SWAP_ABI, address: process.env.POOL_MANAGER as `0x${string}` },
    Hook: {
      ...place,
      abi: SWAP_ABI,
      address: factory({
        address: FACTORY,
        event: getAbiItem({ abi: FOUNDATION_ABI, name: 'FoundationLaunchedV3' }),
        parameter: 'hook',
      }),
    },
  },
});
