import { answering, type Answer } from './answer.js';
import type { CoinFacts } from './coin-facts.js';
import { feedDocument, indexDocuments, launchBlock, launchLog, rule, type Evidence } from './evidence.js';

const reply = answering('finality', 'Is it final?');

const STAGES = {
  sequencer_soft_confirmed:
    'Not yet. The chain accepted the launch, but its block is not on Ethereum. It can still disappear.',
  ethereum_posted: 'Not yet. The block of the launch is on Ethereum, but Ethereum has not finalized it.',
  ethereum_finalized: 'Unknown. The list of coins calls the launch final, but the page has no record of it.',
} as const;

/** Answers by the axis of the finalized record; before there is one, by the stage in the list of coins. */
export function finalityAnswer(facts: CoinFacts): Answer {
  const { indexed, row, verification } = facts;
  const basis = rule('Stages of finality', 'index-sources#finality-stage');
  if (indexed !== null) {
    const at = [launchBlock(indexed.launch), launchLog(indexed.launch, verification)];
    if (indexed.axes.finality === 'FINALIZED')
      return reply({
        answer:
          indexed.launch.chainId === 1
            ? 'Yes. Ethereum finalized the block of the launch, and two independent providers agreed on it.'
            : 'Yes. Ethereum finalized the data of the block of the launch, and two independent providers agreed on it.',
        certainty: 'proven',
        evidence: [
          ...at,
          ...checkpoints(facts),
          ...feedDocument(facts, 'The finalized record'),
          basis,
          ...indexDocuments(facts),
        ],
      });
    return reply({
      answer: 'Unknown. The index has a hold on the block of the launch and concludes nothing from it for now.',
      certainty: 'unknown',
      evidence: [...at, rule('Holds', 'index-sources#holds'), basis, ...indexDocuments(facts)],
    });
  }
  if (row === null) return reply({ answer: 'Unknown.', certainty: 'unknown', evidence: [basis] });
  return reply({
    answer: STAGES[row.finalityStage],
    certainty: row.finalityStage === 'ethereum_finalized' ? 'unknown' : 'stated',
    evidence: [
      {
        is: 'document',
        label: 'The row in the list of coins',
        path: `/api/explore/chain?q=${row.tokenAddress}`,
        digest: null,
      },
      basis,
    ],
  });
}

/** The block of Ethereum that the record of the coin names as finalized. */
function checkpoints({ record }: CoinFacts): readonly Evidence[] {
  if (record === null) return [];
  const { blockNumber, blockHash } =
    record.feed === 'multi-role'
      ? record.record.ethereum.finalized
      : record.feed === 'ethereum'
        ? record.record.onchain.ethereumFinalized
        : record.record.onchain.l1FinalizedCheckpoint;
  return [
    { is: 'block', label: 'The finalized block of Ethereum', number: blockNumber, hash: blockHash, onEthereum: true },
  ];
}
