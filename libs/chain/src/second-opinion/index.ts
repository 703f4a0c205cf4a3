/** A second, independent executor; an entry of its own, because only admission needs an EVM in its process. */
export {
  compareExecutions,
  createSecondExecutor,
  type SecondExecutor,
  type SecondOpinionVerdict,
} from './second-opinion.js';
