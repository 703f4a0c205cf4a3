/** A second, independent executor; an entry of its own, because only admission needs an EVM in its process. */
export {
  compareExecutions,
  createSecondExecutor,
  createSecondOpinion,
  type SecondExecutor,
  type SecondOpinion,
  type SecondOpinionVerdict,
} from './second-opinion.js';
