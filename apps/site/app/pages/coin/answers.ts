import type { Answer } from './answer.js';
import { changesAnswer } from './changes.answer.js';
import { creatorAnswer } from './creator.answer.js';
import type { CoinFacts } from './coin-facts.js';
import { feesAnswer } from './fees.answer.js';
import { finalityAnswer } from './finality.answer.js';
import { lockedAnswer } from './locked.answer.js';
import { sourceAnswer } from './source.answer.js';

/** Answers the questions of a buyer, each with its evidence, in the order of the page. */
export const answersOf = (facts: CoinFacts): readonly Answer[] =>
  [feesAnswer, lockedAnswer, changesAnswer, sourceAnswer, finalityAnswer, creatorAnswer].map((answer) => answer(facts));
