import { answering, type Answer } from './answer.js';
import { identityOf, type CoinFacts } from './coin-facts.js';
import { feedDocument, indexDocuments, namedGetter, rule, value } from './evidence.js';

const reply = answering('changes', 'What can still change?');

const MARKET = 'The price changes with each trade.';

/** Answers by the rules of the coin's source. No record proves that a contract can never change. */
export function changesAnswer(facts: CoinFacts): Answer {
  const { verification, record } = facts;
  const source = identityOf(facts)?.sourceKind;
  if (source === 'module-foundation-v1')
    return reply({
      answer: `${MARKET} The pool, the hook, the fees and the list of modules are fixed in the contracts of this release. Whether a module's own contract can change what it does is unknown.`,
      certainty: 'stated',
      evidence: [
        ...namedGetter(verification, 'hook.compositionHash'),
        ...namedGetter(verification, 'hook.poolKey'),
        ...namedGetter(verification, 'factory.code'),
        rule('Checks of Foundation launches', 'index-sources#foundation-launches'),
        ...indexDocuments(facts),
      ],
    });
  if (source === 'custom-multi-role-v2' || source === 'custom-router-v1')
    return reply({
      answer: `${MARKET} The service refuses code that can replace itself: it admits no instruction that runs foreign code as its own or that deletes a contract. Fees of the recipes that it admits are fixed. Settings that other code of the coin allows are unknown.`,
      certainty: 'stated',
      evidence: [
        rule('Instructions that the service refuses', 'source-verification#instruction-policy'),
        rule('Fees of the recipes that the service admits', 'economics#native-fees'),
        ...(record?.feed === 'multi-role'
          ? [value('Hash of the policy (instructionPolicyHash)', record.record.provenance.instructionPolicyHash)]
          : []),
        ...feedDocument(facts, 'The finalized record'),
        ...indexDocuments(facts),
      ],
    });
  if (source === 'ethereum-custom-v1')
    return reply({
      answer: `${MARKET} Everything else is unknown: the index recorded the code of each contract at the launch, and does not know what that code allows.`,
      certainty: 'unknown',
      evidence: [rule('What the index checks on Ethereum', 'index-sources#ethereum-routers'), ...indexDocuments(facts)],
    });
  return reply({
    answer: `${MARKET} The launch fixed its recipe and the code of each module by their hashes. Whether that code can change fees or settings later is unknown.`,
    certainty: 'unknown',
    evidence: [
      ...namedGetter(verification, 'launcher.getLaunchIdentity'),
      rule('Commitments of native launches', 'index-sources#native-launches'),
      ...indexDocuments(facts),
    ],
  });
}
