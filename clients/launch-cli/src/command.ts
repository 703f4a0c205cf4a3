import type { Bounds } from '@launch/api-client';
import type { JsonValue } from '@launch/contracts/json';
import type { InventoryMaterial } from '@launch/multi-role/custom-launch';
import type { ExitCode } from './launch.error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command is run with besides its options. */
export interface World {
  readonly environment: Environment;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
  /** Bounds of an answer; the client's own when absent. */
  readonly bounds?: Partial<Bounds>;
  /** Milliseconds between two looks of a watch; some seconds when absent. */
  readonly watchMs?: number;
  /** Told while a command works: one line each time. */
  readonly progress: (line: string) => void;
  /** The file that this program is. */
  readonly program: URL;
  /** The reviewed contracts; those that the build put into the program when absent. */
  readonly material?: InventoryMaterial;
}

/** What a command found. `resource` is the JSON form's, `text` what a terminal shows. */
export interface Outcome {
  readonly exitCode: ExitCode;
  readonly httpStatus: number | null;
  /** Whether the answer is one that the service gave before. */
  readonly replayed?: boolean;
  readonly resource: JsonValue;
  readonly text: string;
}

/** Values of options by name; one without a value is present or absent. */
export type Options = Readonly<Record<string, string>>;

export interface CommandOption {
  readonly name: string;
  /** The word for its value in help; null for one without. */
  readonly value: string | null;
  readonly describes: string;
  /** Whether the command is nothing without it. */
  readonly isRequired?: true;
  /** What completion offers. */
  readonly values?: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** More for `--help`, whole lines. */
  readonly details: string;
  /** A bare first argument, and what it may be. */
  readonly operand?: CommandOption;
  readonly options: readonly CommandOption[];
  /** Whether a pipe gets its text too: a shell reads it. */
  readonly isScript?: true;
}

/** What runs a command. */
export type Run = (options: Options, world: World) => Promise<Outcome>;
