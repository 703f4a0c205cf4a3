/** The two development chains: Ethereum's stand-in, and the rollup on it. */
export type ChainId = '1' | '4663';
