// lib-sourcify in a process of its own, as the product's compiler is: `{package, cases}` in, verdicts out.
import { createRequire } from 'node:module';
import { sourcifyVerdict, type SourcifyCase } from './sourcify-verdict.js';

export interface SourcifyJob {
  /** Name of the installed solc package. */
  readonly solcPackage: string;
  readonly cases: readonly SourcifyCase[];
}

const require = createRequire(import.meta.url);

process.on('message', (message) => {
  const { solcPackage, cases } = message as SourcifyJob;
  const solc = require(solcPackage) as { compile(input: string): string };
  void (async () => {
    const verdicts = [];
    for (const one of cases)
      verdicts.push(await sourcifyVerdict(one, (input) => JSON.parse(solc.compile(input)) as unknown));
    return { verdicts };
  })()
    .catch((error: unknown) => ({ failure: String(error) }))
    .then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
