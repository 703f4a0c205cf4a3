import { spawnSync } from 'node:child_process';

/** One statement of a guide's shell blocks, as it stands there. */
export interface GuideStep {
  /** Number of the `##` section it stands in; null before the first and in unnumbered ones. */
  readonly section: number | null;
  readonly text: string;
  /** What the output has to contain before the next step, where the guide says `# again until …`. */
  readonly until: string | null;
}

/** The statements of a Markdown text's `sh` blocks, in order: what a reader would type. */
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

/** As many lines as the shell needs for a whole statement. */
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
