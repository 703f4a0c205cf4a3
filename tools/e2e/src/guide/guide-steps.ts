import { spawnSync } from 'node:child_process';

/** One statement of a guide's shell blocks, unchanged. */
export interface GuideStep {
  /** Number of its `##` section; null before the first and in unnumbered ones. */
  readonly section: number | null;
  readonly text: string;
  /** The text that the output must contain before the next step, where the guide says `# again until …`. */
  readonly until: string | null;
}

/** Returns the statements of a Markdown text's `sh` blocks, in order, as a reader would type them. */
export function guideSteps(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  let section: number | null = null;
  let block: string[] | null = null;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      for (const text of statementsOf(block ?? []))
        steps.push({ section, text, until: /# again until (.+)$/m.exec(text)?.[1] ?? null });
      block = line === '```sh' ? [] : null;
    } else if (block !== null) block.push(line);
    else if (line.startsWith('## ')) section = Number(/^## ([0-9]+)\./.exec(line)?.[1] ?? Number.NaN) || null;
  }
  return steps;
}

/** Joins lines until the shell has a whole statement. */
function statementsOf(lines: readonly string[]): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  for (const line of lines) {
    open.push(line);
    if (line.endsWith('\\') || spawnSync('bash', ['-n'], { input: open.join('\n') }).status !== 0) continue;
    statements.push(open.join('\n'));
    open = [];
  }
  if (open.length > 0) throw new SyntaxError(`a shell block ends within a statement: ${open[0]}`);
  return statements;
}
