import { answering, type Answer } from './answer.js';
import { FOUNDATION_GRAPH, identityOf, type CoinFacts } from './coin-facts.js';
import { indexDocuments, launchLog, namedGetter, rule, value } from './evidence.js';

const reply = answering('creator', 'Who created it?');

/** The reads that name the launch wallet, by source. */
const WALLET_READS = ['launcher.getLaunch', 'hook.creator', 'factory.launchOf', 'router.launchStamp'];

/** Answers with the launch wallet. Who controls a wallet is never known. */
export function creatorAnswer(facts: CoinFacts): Answer {
  const { indexed, verification } = facts;
  const identity = identityOf(facts);
  if (identity === null) return reply({ answer: 'Unknown.', certainty: 'unknown', evidence: [] });
  const basis = rule('What the record calls the creator', 'index-sources#normalized-record');
  const wallet = value('The creator', identity.creator);
  if (indexed === null)
    return reply({
      answer: `The list of coins names ${identity.creator}. The record that proves it appears when the launch is final.`,
      certainty: 'stated',
      evidence: [wallet, basis],
    });
  const isAccount = indexed.launch.launchKind === FOUNDATION_GRAPH;
  return reply({
    answer: isAccount
      ? `The launch account ${identity.creator}, a contract. The wallet that controls it is not in the record, so it is unknown here.`
      : `The wallet ${identity.creator}. The event of the launch and the contract that made it agree on it. Who controls the wallet is unknown.`,
    certainty: 'proven',
    evidence: [
      wallet,
      launchLog(indexed.launch, verification),
      ...WALLET_READS.flatMap((name) => namedGetter(verification, name)),
      ...(isAccount ? [rule('Launch accounts on Ethereum', 'index-sources#ethereum-routers')] : []),
      basis,
      ...indexDocuments(facts),
    ],
  });
}
