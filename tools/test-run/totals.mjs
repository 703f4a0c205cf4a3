/**
 * Sums a run of Nx. A target that runs Jest counts its tests, any other target counts one. A target that did not run, and one
 * that failed or ran no test without naming a failed test, counts one failure.
 * @param {readonly {id: string, isJest: boolean}[]} tasks The tasks that were asked for.
 * @param {ReadonlyMap<string, number>} codes Exit code of each task that ran, by its id.
 * @param {(id: string) => object | undefined} reportOf Jest's JSON report of a task.
 * @returns {{passed: number, failed: number, failures: string[]}}
 */
export function totalsOf(tasks, codes, reportOf) {
  const failures = [];
  let passed = 0;
  for (const { id, isJest } of tasks) {
    const code = codes.get(id);
    const report = isJest && code !== undefined ? reportOf(id) : undefined;
    const named = (report?.testResults ?? []).flatMap(failuresOf);
    const ran = isJest ? (report?.numPassedTests ?? 0) : Number(code === 0);
    passed += ran;
    failures.push(...named);
    if (named.length > 0 || (code === 0 && ran > 0)) continue;
    failures.push(
      code === undefined ? `${id} did not run` : code === 0 ? `${id} ran no test` : `${id} ended with ${code}`,
    );
  }
  return { passed, failed: failures.length, failures };
}

/** Names the failed tests of one test file; a file that could not run is one failure. */
function failuresOf({ name, status, assertionResults }) {
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${name} › ${test.fullName}`);
  return status === 'failed' && failed.length === 0 ? [`${name} could not run`] : failed;
}
