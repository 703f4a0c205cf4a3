import { basename } from 'node:path';
import { EVIDENCE_LIMITS, LIMITS, sha256DigestSchema } from '@launch/contracts';
import { canonicalJsonText } from '@launch/contracts/json';
import { readBoundedFile } from './bounded-file.js';
import { verifyEvidence } from './commands/evidence.command.js';
import { MAX_WALLET_FILE_BYTES, verifyHandoff } from './commands/handoff.command.js';
import { verifyImage } from './commands/image.command.js';
import { verifyJson } from './commands/json.command.js';
import { verifyMatch } from './commands/match.command.js';
import { verifyOpcodes } from './commands/opcodes.command.js';
import { verifyRequest } from './commands/request.command.js';
import type { Verdict } from './verdict.types.js';
import { VerifyError } from './verify.error.js';

const HELP = `launch-verify: the service's own checks, offline

  launch-verify opcodes --policy v2|reachable <file.hex>
  launch-verify match <case.json>
  launch-verify image <file>
  launch-verify json <file>
  launch-verify request <file>
  launch-verify handoff <request> <wallet file>
  launch-verify evidence [--digest sha256:<hex>] <file>

evidence takes the digest from the file's name when that holds one. No command uses the network.
Prints one JSON verdict. Exit codes: 0 pass, 3 fail or nothing to check, 2 usage,
8 the compiler gave no verdict, 11 the file cannot be read.
`;

const MIB = 1024 * 1024;
const usage = (message: string): VerifyError => new VerifyError('VERIFY_ARGUMENTS_INVALID', message);

const VERDICT_EXIT_CODES = { pass: 0, fail: 3, indeterminate: 3 } as const;

/** What a run prints and how it ends. */
export interface VerifyRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One run, from arguments to output and exit code. */
export async function runVerify(argv: readonly string[]): Promise<VerifyRun> {
  if (argv.length === 1 && argv[0] === '--help') return { exitCode: 0, stdout: HELP, stderr: '' };
  try {
    const verdict = await verify(argv);
    return { exitCode: VERDICT_EXIT_CODES[verdict.verdict], stdout: line(verdict), stderr: '' };
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    const body = { schemaVersion: 'launch.verify-error.v1', code: error.code, message: error.message };
    return { exitCode: error.exitCode, stdout: '', stderr: line(body) };
  }
}

const line = (value: unknown): string => `${canonicalJsonText(value)}\n`;

async function verify(argv: readonly string[]): Promise<Verdict> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'opcodes': {
      const { policy, file } = opcodeArguments(rest);
      return verifyOpcodes(policy, readBoundedFile(file, MIB));
    }
    case 'match':
      return verifyMatch(readBoundedFile(onlyFile(rest), 2 * LIMITS.requestBytes));
    case 'image':
      return verifyImage(readBoundedFile(onlyFile(rest), LIMITS.requestBytes));
    case 'json':
      return verifyJson(readBoundedFile(onlyFile(rest), LIMITS.requestBytes));
    case 'request':
      return verifyRequest(readBoundedFile(onlyFile(rest), LIMITS.requestBytes));
    case 'handoff': {
      const [request, wallet] = files(rest, 2) as [string, string];
      return verifyHandoff(readBoundedFile(request, LIMITS.requestBytes), readBoundedFile(wallet, MAX_WALLET_FILE_BYTES));
    }
    case 'evidence': {
      const { value: given, file } = withOption('--digest', rest);
      if (given !== null && !sha256DigestSchema.safeParse(given).success) throw usage('--digest is sha256: and 64 lowercase hex digits.');
      return verifyEvidence(readBoundedFile(file, EVIDENCE_LIMITS.bytes), given ?? digestInName(file));
    }
    default:
      throw usage('The first argument is one of: opcodes, match, image, json, request, handoff, evidence.');
  }
}

const onlyFile = (rest: readonly string[]): string => files(rest, 1)[0] as string;

function files(rest: readonly string[], count: 1 | 2): readonly string[] {
  const wrong = rest.length !== count || rest.some((file) => file === '' || file.startsWith('--'));
  if (wrong) throw usage(count === 1 ? 'The command takes exactly one file.' : 'The command takes exactly two files.');
  return rest;
}

/** The option may stand before the file or behind it; `value` is null where it does not stand at all. */
function withOption(name: string, rest: readonly string[]): { value: string | null; file: string } {
  const at = rest.indexOf(name);
  if (at < 0) return { value: null, file: onlyFile(rest) };
  const value = rest[at + 1];
  if (value === undefined) throw usage(`${name} needs a value.`);
  return { value, file: onlyFile(rest.filter((_argument, index) => index !== at && index !== at + 1)) };
}

function opcodeArguments(rest: readonly string[]): { policy: string; file: string } {
  const { value: policy, file } = withOption('--policy', rest);
  if (policy === null) throw usage('opcodes needs --policy v2|reachable.');
  return { policy, file };
}

/** Bundles are kept under their address by whoever names them so. */
function digestInName(file: string): string | null {
  const hex = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(basename(file))?.[0];
  return hex === undefined ? null : `sha256:${hex}`;
}
