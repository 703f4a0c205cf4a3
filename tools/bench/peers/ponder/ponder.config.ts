import { createConfig } from 'ponder';
import { http } from 'viem';
import { FOUNDATION_ABI } from './foundation.abi';

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
    Factory: {
      network: 'l1',
      abi: FOUNDATION_ABI,
      address: process.env.FACTORY as `0x${string}`,
      startBlock: Number(process.env.START_BLOCK),
    },
  },
});
