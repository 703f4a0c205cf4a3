import type { CommandShape } from '@launch/client-core/command';
import type { Release } from './checkout.js';

/** The surroundings of a command. */
export interface Host {
  readonly env: NodeJS.ProcessEnv;
  /** Returns the commit that a context names. @throws {DeployError} CHECKOUT_INVALID */
  readonly release: () => Release;
  /** Writes a line to standard error. */
  readonly progress: (line: string) => void;
}

/** The options of a call by their names, without the dashes. */
export type Options = Readonly<Record<string, string>>;

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The text of `launch-deploy <command> --help`. */
  readonly help: string;
  readonly shape: CommandShape;
  /**
   * Carries the command out and returns its result for standard output.
   *
   * @throws {DeployError}
   */
  readonly run: (options: Options, host: Host) => Promise<string>;
}
