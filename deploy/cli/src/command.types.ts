import type { CommandDeclaration, ParsedOptions } from '@launch/client-core/command';
import type { Release } from './checkout.js';

/** The surroundings of a command. */
export interface Host {
  readonly env: NodeJS.ProcessEnv;
  /** Returns the commit that a context names. @throws {DeployError} CHECKOUT_INVALID */
  readonly release: () => Release;
  /** Writes a line to standard error. */
  readonly progress: (line: string) => void;
}

/** A command of `launch-deploy`; `COMMANDS` has its name. */
export interface Command extends Omit<CommandDeclaration, 'name'> {
  /**
   * Carries the command out and returns its result for standard output.
   *
   * @throws {DeployError}
   */
  readonly run: (options: ParsedOptions, host: Host) => Promise<string>;
}
