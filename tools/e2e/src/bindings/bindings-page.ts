import type { FalsifiedCommand, Outcome } from './fixtures/falsified-command.fixture.js';

interface Result {
  readonly command: FalsifiedCommand;
  readonly outcomes: readonly Outcome[];
}

const HEAD = `# Client bindings

A program uses a response only if it is about the request. It compares each member that the request, or another member of the response,
determines. A response with another value there ends the command, and no file is written. The members are in
\`clients/core/src/binding\`, once for all programs, and those of modules in \`clients/module-cli/src/binding.ts\`.

\`tools/e2e/src/bindings/client-bindings.integration.spec.ts\` writes the tables: a server answers each command with every member changed
to another value that the schema accepts. Members that the schema fixes are not listed. \`*\` is each place of a list: the first and the
last one are changed, and a member in two rows is compared in one of them. Null becomes a value that the schema accepts. The two nodes
that the index reader compares with show the launch as it is. A call of the SDK that throws a \`LaunchClientError\` is a row with 10.

\`launch-verify\` reads files and no response, and recomputes every byte of them. The development wallet (\`npm run wallet:send\`) reads a
hand-off: it compares its wallet, the chain of its endpoint and the deadline of the permit before it signs
(\`tools/start/src/reference-launch/controller-wallet.ts\`).
`;

/** Writes the page that says of each command which members bind its response, and why the others do not. */
export const bindingsPage = (results: readonly Result[]): string => [HEAD, ...results.map(sectionOf)].join('\n');

function sectionOf({ command, outcomes }: Result): string {
  const refused = new Map<string, Set<string>>();
  for (const { field, exitCode, code } of outcomes)
    if (exitCode !== 0) {
      const end = `${exitCode} \`${code}\``;
      refused.set(end, (refused.get(end) ?? new Set()).add(field));
    }
  const rows = [
    ...[...refused].map(([end, fields]) => [end, [...fields]] as const),
    ...Object.entries(command.unbound).map(([reason, fields]) => [`not bound: ${reason}`, fields] as const),
  ];
  const lines = rows.map(
    ([end, fields]) =>
      `| ${end} | ${[...fields]
        .sort()
        .map((field) => (field === '' ? 'the bytes' : `\`${field}\``))
        .join(', ')} |\n`,
  );
  return `## \`${command.name}\`, \`${command.operation}\` ${command.answer.status}\n\n| result | members |\n| --- | --- |\n${lines.join('')}`;
}
