import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CoinFacts } from './coin-facts.js';

type Recorded = Omit<CoinFacts, 'chainId' | 'token'>;

/** Coins of every source, as the routes of a gateway over two development chains answered. */
const RECORDED = JSON.parse(readFileSync(path.join(import.meta.dirname, 'coins.fixture.json'), 'utf8')) as Readonly<
  Record<string, Recorded>
>;

export const SOURCES = Object.keys(RECORDED);

/** Returns the facts about the recorded coin of a source, changed where the test says so. */
export function coinOf(source: string, changed: Partial<CoinFacts> = {}): CoinFacts {
  const recorded = RECORDED[source];
  if (recorded?.indexed == null) throw new TypeError(`no recorded coin of ${source}`);
  const { chainId, tokenAddress } = recorded.indexed.launch;
  return { chainId, token: tokenAddress, ...recorded, ...changed };
}

/** Returns the facts about the same coin before its launch is final: the list alone has it. */
export function provisional(facts: CoinFacts): CoinFacts {
  const row = facts.row && { ...facts.row, finalityStage: 'sequencer_soft_confirmed' as const };
  return { ...facts, row, indexed: null, verification: null, record: null };
}
