// The stages of `npm test` and what each may take on two quiet cores, in seconds. docs/testing.md has the same table; a
// test holds the two together. A budget is told, never asserted: a machine that does other things as well takes its
// time.
export const BUDGETS = {
  prepare: 150,
  format: 5,
  unit: 170,
  integration: 680,
  types: 300,
  lint: 600,
  e2e: 1_020,
  'error codes': 3,
};

/** Stages that run beside others, whose time is the run's time. */
export const BESIDE_OTHERS = ['types', 'lint'];

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
  const known = Object.entries(taken).filter(([name]) => name in BUDGETS);
  if (known.length === 0) return [];
  const line = (name, seconds, budget) =>
    `${name.padEnd(12)} ${minutes(seconds).padStart(6)} of ${minutes(budget).padStart(5)}${seconds > budget ? '  over its budget' : ''}`;
  return [
    'stage          took    may take',
    ...known.map(([name, seconds]) => line(name, seconds, BUDGETS[name])),
    line('in all', whole, WHOLE_BUDGET),
  ];
}
