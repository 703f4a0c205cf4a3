import { FOUNDATION_PLATFORM_FEE_BPS } from '@launch/contracts/index';
import { humanBasisPoints } from '../../site/units.js';
import { answering, type Answer } from './answer.js';
import { FOUNDATION_GRAPH, identityOf, type CoinFacts, type CoinIdentity } from './coin-facts.js';
import {
  feedDocument,
  indexDocuments,
  launchLog,
  namedGetter,
  provenAddress,
  provenNumber,
  rule,
  value,
  type Evidence,
} from './evidence.js';

const reply = answering('fees', 'What does each trade cost, and who receives it?');

const MAX_CREATOR_FEE_BPS = 1_000;
const CREATOR_FEE_STEP_BPS = 100;
/** Every creator's fee that a Foundation release accepts. */
const CREATOR_FEES = Array.from(
  { length: MAX_CREATOR_FEE_BPS / CREATOR_FEE_STEP_BPS + 1 },
  (_, step) => step * CREATOR_FEE_STEP_BPS,
);
const NATIVE_PLATFORM_FEE_BPS = 20;

/** Answers from the hook's getters of a Foundation coin, from the recipes that the service admits, or not at all. */
export function feesAnswer(facts: CoinFacts): Answer {
  const identity = identityOf(facts);
  if (identity === null) return reply({ answer: 'Unknown.', certainty: 'unknown', evidence: [] });
  if (identity.sourceKind === 'module-foundation-v1') return foundationFees(facts, identity);
  if (identity.sourceKind === 'custom-multi-role-v2' || identity.sourceKind === 'custom-router-v1')
    return recipeFees(facts);
  if (identity.sourceKind === 'ethereum-custom-v1') return ethereumFees(facts);
  return nativeFees(facts);
}

interface CreatorFees {
  readonly buy: number;
  readonly sell: number;
  readonly evidence: readonly Evidence[];
}

/** Returns the creator's fees that the hook answered. V1 and V2 have one getter for both directions. */
function creatorFees({ verification }: CoinFacts): CreatorFees | null {
  const both = provenNumber(verification, 'hook.creatorFeeBps', CREATOR_FEES);
  if (both !== null) return { buy: both.value, sell: both.value, evidence: [both.evidence] };
  const buy = provenNumber(verification, 'hook.creatorBuyFeeBps', CREATOR_FEES);
  const sell = provenNumber(verification, 'hook.creatorSellFeeBps', CREATOR_FEES);
  return buy === null || sell === null
    ? null
    : { buy: buy.value, sell: sell.value, evidence: [buy.evidence, sell.evidence] };
}

function foundationFees(facts: CoinFacts, { factoryVersion, creator }: CoinIdentity): Answer {
  const basis = rule('Fees of Foundation releases', 'economics#foundation-fees');
  const platformBps = factoryVersion === null ? null : FOUNDATION_PLATFORM_FEE_BPS[factoryVersion];
  const platform = platformBps === null ? null : provenNumber(facts.verification, 'hook.platformFeeBps', [platformBps]);
  const own = creatorFees(facts);
  const receiver = provenAddress(facts.verification, 'hook.creator', creator);
  if (platform === null || own === null || receiver === null) {
    const known = platformBps === null ? 'a share' : humanBasisPoints(platformBps);
    return reply({
      answer: `This release takes ${known} of each trade for the platform, and the creator takes 0% to 10%. The page has no proof of the creator's exact rate.`,
      certainty: platformBps === null ? 'unknown' : 'stated',
      evidence: [basis, ...indexDocuments(facts)],
    });
  }
  const share = (creatorBps: number): string =>
    `${humanBasisPoints(platform.value + creatorBps)} (${humanBasisPoints(platform.value)} for the platform, ${humanBasisPoints(creatorBps)} for the creator)`;
  const cost =
    own.buy === own.sell
      ? `Each buy and each sell costs ${share(own.buy)}`
      : `Each buy costs ${share(own.buy)}. Each sell costs ${share(own.sell)}`;
  return reply({
    answer: `${cost}. Both are shares of the ether side of the trade. The creator's share belongs to the launch wallet; the record does not name the wallet of the platform. The network's own fee comes on top.`,
    certainty: 'proven',
    evidence: [
      platform.evidence,
      ...own.evidence,
      receiver.evidence,
      ...namedGetter(facts.verification, 'hook.ledger'),
      basis,
      ...indexDocuments(facts),
    ],
  });
}

/** The service signs a permit for recognised recipes alone; its records commit to the exact rates by a hash. */
function recipeFees(facts: CoinFacts): Answer {
  const { record } = facts;
  const recipient = record?.feed === 'multi-role' ? record.record.chainBindings.platformFeeRecipient : null;
  const receivers =
    recipient === null
      ? 'The public records name neither recipient.'
      : "The public record names the platform's recipient; it does not name the creator's.";
  return reply({
    answer: `The service admits only code that takes ${humanBasisPoints(NATIVE_PLATFORM_FEE_BPS)} of the ether side of each trade for the platform and 0% to 10% for the creator. The exact rate of this coin is not in the public records, so it is unknown here. ${receivers}`,
    certainty: 'stated',
    evidence: [
      rule('Fees of the recipes that the service admits', 'economics#native-fees'),
      rule('How the service recognises a recipe', 'economics#recipe-recognition'),
      ...(recipient === null ? [] : [value("The platform's recipient", recipient)]),
      ...(record?.feed === 'multi-role'
        ? [value('Hash of the exact economics (economicsHash)', record.record.provenance.economicsHash)]
        : []),
      ...feedDocument(facts, 'The finalized record'),
      ...indexDocuments(facts),
    ],
  });
}

function nativeFees(facts: CoinFacts): Answer {
  const { indexed, verification } = facts;
  const recipeHash = indexed?.launch.recipeHash ?? null;
  return reply({
    answer: `The total is unknown. The launcher's protocol fee is ${humanBasisPoints(NATIVE_PLATFORM_FEE_BPS)}, on top of the creator's fee. The creator's rate and recipient are in the recipe inside the event of the launch, which the index does not decode.`,
    certainty: 'unknown',
    evidence: [
      rule('Protocol fee of native launches', 'economics#protocol-fee-of-native-launches'),
      ...(indexed === null ? [] : [launchLog(indexed.launch, verification)]),
      ...(recipeHash === null ? [] : [value('Hash of the recipe (recipeHash)', recipeHash)]),
      ...indexDocuments(facts),
    ],
  });
}

function ethereumFees(facts: CoinFacts): Answer {
  const isGraph = facts.indexed?.launch.launchKind === FOUNDATION_GRAPH;
  return reply({
    answer: isGraph
      ? 'Unknown. A Foundation factory made this coin, but the index reads no fee of its hook.'
      : 'Unknown. The index checks the stamp of this coin and not its fees. Its hook can take any share of a trade.',
    certainty: 'unknown',
    evidence: [rule('What the index checks on Ethereum', 'index-sources#ethereum-routers'), ...indexDocuments(facts)],
  });
}
