import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { isMisencoded } from '@launch/client-core/command';
import { canonicalJsonText } from '@launch/contracts/json';
import { EVIDENCE_LIMITS } from '@launch/contracts/launch';
import { bytes32Schema, LIMITS, sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import { readBoundedFile } from './bounded-file.js';
import { verifyEvidence } from './commands/evidence.command.js';
import { MAX_WALLET_FILE_BYTES, verifyHandoff } from './commands/handoff.command.js';
import { verifyImage } from './commands/image.command.js';
import { verifyJson } from './commands/json.command.js';
import { verifyMatch } from './commands/match.command.js';
import { verifyOpcodes } from './commands/opcodes.command.js';
import { verifyRequest } from './commands/request.command.js';
import { verifySource } from './commands/source.command.js';
import type { Verdict } from './verdict.types.js';
import { VerifyError } from './verify.error.js';

const HELP = `launch-verify: the service's own checks, offline

  launch-verify opcodes --policy v2|reachable <file.hex>
  launch-verify match <case.json>
  launch-verify image <file>
  launch-verify json <file>
  launch-verify request <file>
  launch-verify handoff <request> <wallet file>
  launch-verify evidence [--digest sha256:<hex>] [--request <file>]
                         [--checkpoint 0x<hash>] [--l2-block 0x<hash>] <file>
  launch-verify source [--digest sha256:<hex>] [--verification sha256:<hex>]
                       [--release sha256:<hex>] <file>

evidence and source take the digest from the file's name when that holds one. Their other options pin
what you know from elsewhere: your request and block hashes of nodes you trust; an indexed record's
verificationDigest and sourceReleaseDigest. No command uses the network.
Prints one JSON verdict. Exit codes: 0 pass, 3 fail or nothing to check, 2 usage,
8 the compiler gave no verdict, 11 the file cannot be read or the output not written.
`;

const MIB = 1024 * 1024;
const usage = (message: string): VerifyError => new VerifyError('VERIFY_ARGUMENTS_INVALID', message);

const VERDICT_EXIT_CODES = { pass: 0, fail: 3, indeterminate: 3 } as const;

/** The output of a run and its exit code. */
export interface VerifyRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command, from arguments to output and exit code. */
export async function runVerify(argv: readonly string[]): Promise<VerifyRun> {
  if (argv.length === 1 && argv[0] === '--help') return { exitCode: 0, stdout: HELP, stderr: '' };
  try {
    const verdict = await verify(argv);
    return { exitCode: VERDICT_EXIT_CODES[verdict.verdict], stdout: line(verdict), stderr: '' };
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    return { stdout: '', ...failed(error) };
  }
}

/** Returns the output of a run without a verdict. */
export function failed({ code, message, exitCode }: VerifyError): Omit<VerifyRun, 'stdout'> {
  return { exitCode, stderr: line({ schemaVersion: 'launch.verify-error.v1', code, message }) };
}

const line = (value: unknown): string => `${canonicalJsonText(value)}\n`;

async function verify(argv: readonly string[]): Promise<Verdict> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'opcodes': {
      const { policy, files } = read(rest, ['policy'], 1);
      if (policy === undefined) throw usage('opcodes needs --policy v2|reachable.');
      return verifyOpcodes(policy, readBoundedFile(files[0], MIB));
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
      const { files } = read(rest, [], 2);
      return verifyHandoff(
        readBoundedFile(files[0], LIMITS.requestBytes),
        readBoundedFile(files[1], MAX_WALLET_FILE_BYTES),
      );
    }
    case 'evidence': {
      const {
        digest,
        request,
        checkpoint,
        'l2-block': l2Block,
        files,
      } = read(rest, ['digest', 'request', 'checkpoint', 'l2-block'], 1);
      if ([checkpoint, l2Block].some((hash) => hash !== undefined && !bytes32Schema.safeParse(hash).success))
        throw usage('--checkpoint and --l2-block are 0x and 64 lowercase hex digits.');
      return verifyEvidence(readBoundedFile(files[0], EVIDENCE_LIMITS.bytes), {
        digest: digestOption('--digest', digest) ?? digestInName(files[0]),
        ...(request === undefined ? {} : { request: readBoundedFile(request, LIMITS.requestBytes) }),
        ...(checkpoint === undefined ? {} : { checkpoint }),
        ...(l2Block === undefined ? {} : { l2Block }),
      });
    }
    case 'source': {
      const { digest, verification, release, files } = read(rest, ['digest', 'verification', 'release'], 1);
      const pinned = digestOption('--verification', verification);
      const trusted = digestOption('--release', release);
      return verifySource(readBoundedFile(files[0], EVIDENCE_LIMITS.bytes), {
        digest: digestOption('--digest', digest) ?? digestInName(files[0]),
        ...(pinned === undefined ? {} : { verification: pinned }),
        ...(trusted === undefined ? {} : { release: trusted }),
      });
    }
    default:
      throw usage('The first argument is one of: opcodes, match, image, json, request, handoff, evidence, source.');
  }
}

/** @throws {VerifyError} usage */
function digestOption(name: string, given: string | undefined): Sha256Digest | undefined {
  if (given === undefined) return undefined;
  const parsed = sha256DigestSchema.safeParse(given);
  if (!parsed.success) throw usage(`${name} is sha256: and 64 lowercase hex digits.`);
  return parsed.data;
}

const onlyFile = (rest: readonly string[]): string => read(rest, [], 1).files[0];

type Files<N extends 1 | 2> = N extends 1 ? readonly [string] : readonly [string, string];

/**
 * Reads options, each with a value and at most once, and exactly the required number of files, in any order. @throws
 * {VerifyError} usage
 */
function read<O extends string, N extends 1 | 2>(
  args: readonly string[],
  names: readonly O[],
  count: N,
): Partial<Record<O, string>> & { readonly files: Files<N> } {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true }])),
      allowPositionals: true,
    });
  } catch {
    throw usage(
      names.length === 0
        ? 'The command takes no options.'
        : `The command takes the options ${names.map((name) => `--${name}`).join(', ')}, each with a value.`,
    );
  }
  const { values, positionals } = parsed;
  const misencoded = Object.entries(values).find(([, all]) => (all as readonly string[]).some(isMisencoded));
  if (misencoded !== undefined) throw usage(`--${misencoded[0]} is not valid UTF-8.`);
  if (positionals.some(isMisencoded)) throw usage("The file's name is not valid UTF-8.");
  const given = Object.entries(values) as [O, string[]][];
  if (given.some(([, all]) => all.length > 1)) throw usage('An option stands once.');
  if (positionals.length !== count || positionals.includes(''))
    throw usage(count === 1 ? 'The command takes exactly one file.' : 'The command takes exactly two files.');
  return {
    ...(Object.fromEntries(given.map(([name, [value]]) => [name, value])) as Partial<Record<O, string>>),
    files: positionals as never,
  };
}

/** Returns the digest in a file name, for bundles that are kept under their address. */
function digestInName(file: string): Sha256Digest | null {
  const hex = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(basename(file))?.[0];
  return hex === undefined ? null : `sha256:${hex}`;
}
