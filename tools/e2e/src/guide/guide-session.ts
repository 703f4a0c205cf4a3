import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuideStep } from './guide-steps.js';

const PATIENCE_MS = 240_000;
const PAUSE_MS = 1_000;
const [HEAD, TAIL] = [280, 240];

/** A value for a line that the guide leaves to its reader (`NAME=…`). */
export interface Filling {
  readonly value: (outputs: readonly string[]) => string | Promise<string>;
  /** Whether the transcript shows the value; otherwise it shows the line unchanged. */
  readonly shown: boolean;
}

const shortened = (line: string): string =>
  line.length > HEAD + TAIL ? `${line.slice(0, HEAD)} … ${line.slice(-TAIL)}` : line;

/** Returns the values that move between two answers. An unchanged answer is not recorded again. */
const stagesIn = (output: string): string =>
  [...output.matchAll(/"(?:state|status|walletSaved|posting)":(?:"\w+"|\w+|\{)/g)].join();

/** One shell in one folder, without this repository in its environment. Records input and output. */
export class GuideSession {
  private readonly shell: ChildProcessWithoutNullStreams;
  private readonly lines: string[] = [];
  private readonly outputs: string[] = [];
  private received = '';
  private heard: (() => void) | null = null;

  constructor(
    folder: string,
    private readonly fillings: Readonly<Record<string, Filling>>,
  ) {
    const env = {
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      LANG: 'C.UTF-8',
    };
    this.shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env });
    const hear = (part: Buffer): void => {
      this.received += part.toString('utf8');
      this.heard?.();
    };
    this.shell.stdout.on('data', hear);
    this.shell.stderr.on('data', hear);
  }

  /** The input and output as Markdown; long lines are cut. */
  get transcript(): string {
    return this.lines.map((line) => (line === '' ? '' : `    ${shortened(line)}`)).join('\n');
  }

  /** Types a step, repeating it where the guide says so, and returns its output. @throws Error when the step fails. */
  async type(step: GuideStep): Promise<string> {
    const { typed, shown } = await this.filled(step.text);
    let last: string | null = null;
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const { code, output } = await this.run(typed);
      if (stagesIn(output) !== last) this.write(shown, output);
      if (code !== 0) throw new Error(`the guide's step ends with ${code}: ${typed}\n${output.slice(-2_000)}`);
      if (step.until === null || output.includes(step.until)) {
        this.outputs.push(output);
        return output;
      }
      if (Date.now() > end)
        throw new Error(`the guide's step never said ${step.until}: ${typed}\n${output.slice(-2_000)}`);
      last = stagesIn(output);
    }
  }

  /** Expands a word with the shell's variables and commands, without recording it. */
  async expand(word: string): Promise<string> {
    const { code, output } = await this.run(`printf %s ${word}`);
    if (code !== 0) throw new Error(`the guide's word ends with ${code}: ${word}\n${output}`);
    return output;
  }

  private write(typed: string, output: string): void {
    const [first, ...rest] = typed.split('\n');
    this.lines.push(
      `$ ${first}`,
      ...rest.map((line) => `  ${line}`),
      ...output.split('\n').filter((line) => line !== ''),
      '',
    );
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.shell.once('close', resolve));
    this.shell.stdin.end();
    await gone;
  }

  private async filled(text: string): Promise<{ readonly typed: string; readonly shown: string }> {
    const [, head, name] = /^((?:export )?([A-Z_]+)=)[^\s]*…/.exec(text) ?? [];
    if (name === undefined || head === undefined) {
      if (text.includes('…')) throw new Error(`nothing is known to put into: ${text}`);
      return { typed: text, shown: text };
    }
    const filling = this.fillings[name];
    if (filling === undefined) throw new Error(`the guide leaves ${name} open and nobody fills it`);
    const typed = `${head}'${await filling.value(this.outputs)}'`;
    return { typed, shown: filling.shown ? typed.replaceAll("'", '') : text };
  }

  /** Runs in the shell itself, so that variables stay; without its input, which belongs to the test. */
  private async run(text: string): Promise<{ readonly code: number; readonly output: string }> {
    const mark = randomUUID();
    const ended = new RegExp(`\\n${mark} ([0-9]+)\\n`);
    this.received = '';
    this.shell.stdin.write(`{\n${text}\n} < /dev/null 2>&1\nprintf '\\n${mark} %s\\n' "$?"\n`);
    for (;;) {
      const found = ended.exec(this.received);
      if (found !== null) return { code: Number(found[1]), output: this.received.slice(0, found.index) };
      if (this.shell.exitCode !== null) throw new Error(`the shell is gone: ${this.received.slice(-2_000)}`);
      await new Promise<void>((resolve) => {
        this.heard = resolve;
        this.shell.once('close', () => resolve());
      });
    }
  }
}
