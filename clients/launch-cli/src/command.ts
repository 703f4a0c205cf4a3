import type { Bounds } from '@launch/api-client';
import type { ParsedOptions } from '@launch/client-core/command';
import type { JsonValue } from '@launch/contracts/json';
import type { InventoryMaterial } from '@launch/multi-role/custom-launch';
import type { ExitCode } from './launch.error.js';
import type { Submission } from './submission.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a command, besides its options. */
export interface World {
  readonly environment: Environment;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Bounds of an answer. Defaults to those of the client. */
  readonly bounds?: Partial<Bounds>;
  /** Milliseconds between two polls of a watch. Defaults to `WATCH_MS`. */
  readonly watchMs?: number;
  /** Called while a command works, with one line each time. */
  readonly progress: (line: string) => void;
  /** Called before a request that creates something is sent. Its failure reports whether the service may have it. */
  readonly submitting: (submission: Submission) => void;
  /** The file of this program. */
  readonly program: URL;
  /** The reviewed contracts. Defaults to those that the build put into the program. */
  readonly material?: InventoryMaterial;
}

/** The result of a command: `resource` for the JSON form, `text` for a terminal. */
export interface Outcome {
  readonly exitCode: ExitCode;
  readonly httpStatus: number | null;
  /** Whether the service gave this answer before. */
  readonly replayed?: boolean;
  readonly resource: JsonValue;
  readonly text: string;
}

export type Options = ParsedOptions;

/** Runs a command. */
export type Run = (options: Options, world: World) => Promise<Outcome>;
