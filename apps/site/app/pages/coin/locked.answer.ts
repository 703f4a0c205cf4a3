import { answering, type Answer } from './answer.js';
import { identityOf, type CoinFacts } from './coin-facts.js';
import { feedDocument, indexDocuments, namedGetter, provenAddress, rule } from './evidence.js';

const reply = answering('locked', 'What is locked, and what can be withdrawn?');

const BURN_ADDRESS = '0x000000000000000000000000000000000000dEaD';

/** Answers from the owner of a Foundation coin's position, from the recipes that the service admits, or not at all. */
export function lockedAnswer(facts: CoinFacts): Answer {
  const source = identityOf(facts)?.sourceKind;
  if (source === 'module-foundation-v1') return foundationLock(facts);
  if (source === 'custom-multi-role-v2' || source === 'custom-router-v1') return recipeLock(facts);
  return reply({
    answer:
      'Unknown. No record shows who holds the liquidity that the launch put into the pool, or whether its holder can withdraw it.',
    certainty: 'unknown',
    evidence: [
      source === 'ethereum-custom-v1'
        ? rule('What the index checks on Ethereum', 'index-sources#ethereum-routers')
        : rule('What the index checks of native launches', 'index-sources#native-launches'),
      ...indexDocuments(facts),
    ],
  });
}

function foundationLock(facts: CoinFacts): Answer {
  const { verification } = facts;
  const owner = provenAddress(verification, 'custody.ownerOf', BURN_ADDRESS);
  const fees = 'The creator and the platform can withdraw the fees that they earned, and nothing else of the pool.';
  if (owner === null)
    return reply({
      answer: `A Foundation factory gives the liquidity of a launch to the burn address for ever. The page has no proof of it for this coin. ${fees}`,
      certainty: 'stated',
      evidence: [rule('Checks of Foundation launches', 'index-sources#foundation-launches'), ...indexDocuments(facts)],
    });
  return reply({
    answer: `The liquidity of the launch is locked for ever: the burn address owns its position, and the contract that holds the position has no function that removes liquidity. ${fees}`,
    certainty: 'proven',
    evidence: [
      owner.evidence,
      ...namedGetter(verification, 'custody.positionOf'),
      ...namedGetter(verification, 'custody.code'),
      rule('Checks of Foundation launches', 'index-sources#foundation-launches'),
      ...indexDocuments(facts),
    ],
  });
}

const recipeLock = (facts: CoinFacts): Answer =>
  reply({
    answer:
      'The service admits only code that has no way to withdraw the liquidity of the launch. Each recipient of fees can withdraw its own. The public records do not repeat this check for this coin.',
    certainty: 'stated',
    evidence: [
      rule('The recipes that the service admits', 'economics#recipes'),
      ...feedDocument(facts, 'The finalized record'),
      ...indexDocuments(facts),
    ],
  });
