/** A second, independent executor. It has its own entry point, because only admission needs an EVM in its process. */
export {
  compareExecutions,
  createSecondExecutor,
  type SecondExecutor,
  type SecondOpinionVerdict,
} from './second-opinion.js';
