// The stages of `npm test` and what each may take on two quiet cores, in seconds. docs/testing.md has the same table; a
// test holds the two together. A budget is told, never asserted: a machine that does other things as well takes its
// time.
export const BUDGETS = {
  prepare: 150,
  unit: 190,
  integration: 720,
  e2e: 1_030,
  'error codes': 3,
};

/** Stages that take what the others leave of the cores, and no time of their own. */
export const IN_IDLE_TIME = ['format', 'types', 'lint'];

/** What `npm test` may take in all, in seconds. */
export const WHOLE_BUDGET = 2_100;

const minutes = (seconds) => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

/**
 * A line a stage: what it took, what it may take, and whether that was more.
 * @param taken Seconds by stage, in the order in which they ended.
 * @param whole Seconds of the whole run: stages may run side by side.
 * @returns lines without their ends; none where no stage has a budget.
 */
export function budgetLines(taken, whole) {
  const known = Object.entries(taken).filter(([name]) => name in BUDGETS || IN_IDLE_TIME.includes(name));
  if (known.length === 0) return [];
  const taking = (name, seconds) => `${name.padEnd(12)} ${minutes(seconds).padStart(6)}`;
  const line = (name, seconds, budget) =>
    budget === undefined
      ? `${taking(name, seconds)} in idle time`
      : `${taking(name, seconds)} of ${minutes(budget).padStart(5)}${seconds > budget ? '  over its budget' : ''}`;
  return [
    'stage          took    may take',
    ...known.map(([name, seconds]) => line(name, seconds, BUDGETS[name])),
    line('in all', whole, WHOLE_BUDGET),
  ];
}
