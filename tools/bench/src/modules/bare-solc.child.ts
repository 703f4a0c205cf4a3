// One compilation by the installed solc in a process of its own, with nothing around it: `{solcPackage, input}` in, how long its answer is out.
import { createRequire } from 'node:module';

export interface BareCompilation {
  /** Name of the installed solc package. */
  readonly solcPackage: string;
  /** Standard JSON. */
  readonly input: string;
}

const require = createRequire(import.meta.url);

process.on('message', (message) => {
  const { solcPackage, input } = message as BareCompilation;
  const solc = require(solcPackage) as { compile(input: string): string };
  process.send?.({ contracts: JSON.parse(solc.compile(input)) as unknown });
});
process.on('disconnect', () => process.exit(0));
