/** The two development chains: a replacement for Ethereum, and the rollup on it. */
export type ChainId = '1' | '4663';
