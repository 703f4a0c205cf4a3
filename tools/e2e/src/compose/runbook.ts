import { readFile } from 'node:fs/promises';

/** Returns the commands of a section of a runbook, as one script: its indented lines. */
export async function commandsOf(file: string, section: string): Promise<string> {
  const sections = (await readFile(file, 'utf8')).split(/^## /m);
  const found = sections.find((text) => text.startsWith(`${section}\n`));
  const commands = found?.split('\n').filter((line) => line.startsWith('    ')) ?? [];
  if (commands.length === 0) throw new Error(`${file} has no commands in "${section}"`);
  return commands.map((line) => line.slice(4)).join('\n');
}
