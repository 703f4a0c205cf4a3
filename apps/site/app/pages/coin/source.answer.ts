import { answering, type Answer } from './answer.js';
import { identityOf, type CoinFacts } from './coin-facts.js';
import { feedDocument, indexDocuments, namedGetter, provenCode, rule, value, type Evidence } from './evidence.js';

const reply = answering('source', 'Is the source verified, and by whom?');

const AXIS = rule('How the service decides this', 'index-reads#axes');

/** Answers by the record of the feed, whose components each have an exact match, or says what the code of the maker shows. */
export function sourceAnswer(facts: CoinFacts): Answer {
  const { record, verification } = facts;
  const axes = facts.indexed?.axes ?? facts.presentation?.axes;
  if (axes?.sourceVerification === 'EXACT_MATCH' && record?.feed !== 'custom-launch')
    return reply({
      answer:
        'The service says that its record of this coin has an exact match for each component. The page could not read that record.',
      certainty: 'stated',
      evidence: [AXIS, ...indexDocuments(facts)],
    });
  if (axes?.sourceVerification === 'EXACT_MATCH' && record?.feed === 'custom-launch') {
    const { components } = record.record.sourceVerification;
    const codes = components.flatMap(
      ({ address, runtimeCodeHash }) => provenCode(verification, address, runtimeCodeHash)?.evidence ?? [],
    );
    return reply({
      answer: `Yes, by this service: it compiled the sources of the launch request, and the code of each of its ${components.length} components on the chain equals the result. No third party confirms it here.`,
      certainty: 'proven',
      evidence: [
        ...feedDocument(facts, 'The page of the finalized feed with the record of this coin'),
        ...codes,
        rule('How the service compares bytecode', 'source-verification#bytecode-match'),
        AXIS,
        ...indexDocuments(facts),
      ],
    });
  }
  return reply({
    answer: `Unknown. No public record shows that published source equals the code of this coin. ${reasonOf(facts)}`,
    certainty: 'unknown',
    evidence: [...madeBy(facts), ...feedDocument(facts, 'The finalized record'), AXIS, ...indexDocuments(facts)],
  });
}

function reasonOf(facts: CoinFacts): string {
  const { record } = facts;
  if (record?.feed === 'multi-role') return 'Its record says "not verified" for Sourcify and for block explorers.';
  const identity = identityOf(facts);
  if (identity === null || identity.stage !== 'ethereum_finalized') return 'The launch is not final yet.';
  if (identity.sourceKind === 'ethereum-custom-v1') return 'This service did not receive the sources of the launch.';
  if (identity.sourceKind === 'module-foundation-v1')
    return 'The index compared the code of the factory that made it, not its own.';
  if (identity.sourceKind.startsWith('module-'))
    return 'The index compared the code of the launcher that made it, not its own.';
  return '';
}

function madeBy({ indexed, verification }: CoinFacts): readonly Evidence[] {
  if (indexed === null) return [];
  const maker = ['factory.code', 'launcher.code', 'router.code'].flatMap((name) => namedGetter(verification, name));
  return [
    ...maker,
    value('Release of the contract that made it (sourceReleaseDigest)', indexed.launch.sourceReleaseDigest),
  ];
}
