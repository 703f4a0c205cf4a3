import { basename } from 'node:path';
import {
  JSON_OPTION,
  readCommandLine,
  refusalLine,
  RELEASE,
  type CommandDeclaration,
  type OptionDeclaration,
  type ParsedOptions,
  type ProgramDeclaration,
} from '@launch/client-core/command';
import { canonicalJsonText } from '@launch/contracts/json';
import { EVIDENCE_LIMITS } from '@launch/contracts/launch';
import { bytes32Schema, LIMITS, sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import { readBoundedFile } from './bounded-file.js';
import { verifyEvidence } from './commands/evidence.command.js';
import { MAX_WALLET_FILE_BYTES, verifyHandoff } from './commands/handoff.command.js';
import { verifyImage } from './commands/image.command.js';
import { verifyJson } from './commands/json.command.js';
import { verifyMatch } from './commands/match.command.js';
import { POLICY_NAMES, verifyOpcodes } from './commands/opcodes.command.js';
import { verifyRequest } from './commands/request.command.js';
import { verifySource } from './commands/source.command.js';
import type { Verdict } from './verdict.types.js';
import { VerifyError } from './verify.error.js';

const file = { name: 'file', noun: 'a file', summary: 'the file to check', isFile: true } as const;
const digest = (name: string, summary: string): OptionDeclaration => ({ name, value: 'digest', summary });
const ofTheBytes = digest('digest', 'the digest of the file, unless the name of the file has one');

const TABLE = [
  {
    name: 'opcodes',
    summary: 'scan runtime code, in hex, for forbidden opcodes',
    positionals: [file],
    options: [
      {
        name: 'policy',
        value: 'policy',
        summary: 'the policy of the scan',
        values: Object.keys(POLICY_NAMES),
        required: true,
      },
    ],
    examples: ['opcodes --policy v2 runtime.hex'],
  },
  {
    name: 'match',
    summary: 'compare deployed code with its sources, by compiling them',
    positionals: [file],
    examples: ['match case.json'],
  },
  { name: 'image', summary: 'check an image', positionals: [file], examples: ['image logo.png'] },
  {
    name: 'json',
    summary: 'check that a document is canonical JSON',
    positionals: [file],
    examples: ['json request.json'],
  },
  { name: 'request', summary: 'check a packed request', positionals: [file], examples: ['request request.json'] },
  {
    name: 'handoff',
    summary: 'compare a wallet hand-off with the request that it belongs to',
    positionals: [
      { name: 'request', noun: 'a packed request', summary: 'the packed request', isFile: true },
      { name: 'wallet-file', noun: 'a wallet hand-off', summary: 'the kept wallet hand-off', isFile: true },
    ],
    examples: ['handoff request.json wallet.json'],
  },
  {
    name: 'evidence',
    summary: 'replay the finality rule on an evidence bundle',
    details: `The digest is taken from the name of the file if it has one. The other options pin facts that you know from elsewhere: your
request, and block hashes of nodes that you trust.`,
    positionals: [file],
    options: [
      ofTheBytes,
      { name: 'request', value: 'file', summary: 'your own request' },
      { name: 'checkpoint', value: 'hash', summary: 'the hash of the Ethereum block of the checkpoint' },
      { name: 'l2-block', value: 'hash', summary: 'the hash of the block of the launch' },
    ],
    examples: ['evidence --digest sha256:… evidence.json'],
  },
  {
    name: 'source',
    summary: 'check a verified source bundle',
    details: `The digest is taken from the name of the file if it has one. The other options pin facts that you know from elsewhere: the
verificationDigest and the sourceReleaseDigest of an indexed record.`,
    positionals: [file],
    options: [
      ofTheBytes,
      digest('verification', 'the verificationDigest of the record'),
      digest('release', 'the sourceReleaseDigest of the record'),
    ],
    examples: ['source --digest sha256:… source.json'],
  },
] as const satisfies readonly CommandDeclaration[];
type CommandName = (typeof TABLE)[number]['name'];

export const VERIFY: ProgramDeclaration = {
  name: 'launch-verify',
  version: RELEASE,
  summary: "the service's own checks, offline",
  options: [JSON_OPTION],
  commands: TABLE,
  details: `No command uses the network. Prints one JSON verdict. A failure is text on a terminal, else one line of JSON.
Exit codes: 0 pass, 3 fail or nothing to check, 2 usage,
8 the compiler gave no verdict, 11 the file cannot be read or the output not written.`,
};

const MIB = 1024 * 1024;
const usage = (message: string): VerifyError => new VerifyError('VERIFY_ARGUMENTS_INVALID', message);

const VERDICT_EXIT_CODES = { pass: 0, fail: 3, indeterminate: 3 } as const;

/** The output of a run and its exit code. */
export interface VerifyRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command, from arguments to output and exit code.
 * @param isTerminal whether stderr is a terminal, where a failure is text.
 */
export async function runVerify(argv: readonly string[], isTerminal = false): Promise<VerifyRun> {
  const read = readCommandLine(VERIFY, argv);
  if (read.kind === 'text') return { exitCode: 0, stdout: read.text, stderr: '' };
  try {
    if (read.kind === 'refused') throw usage(refusalLine(read));
    const verdict = await CHECKS[read.command as CommandName](read.options);
    return { exitCode: VERDICT_EXIT_CODES[verdict.verdict], stdout: line(verdict), stderr: '' };
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    return { stdout: '', ...failed(error, isTerminal && !argv.includes('--json')) };
  }
}

/** Returns the output of a run without a verdict. */
export function failed({ code, message, exitCode }: VerifyError, isText: boolean): Omit<VerifyRun, 'stdout'> {
  const body = line({ schemaVersion: 'launch.verify-error.v1', code, message });
  return { exitCode, stderr: isText ? `${VERIFY.name}: ${message}\n` : body };
}

const line = (value: unknown): string => `${canonicalJsonText(value)}\n`;

const CHECKS: Readonly<Record<CommandName, (options: ParsedOptions) => Verdict | Promise<Verdict>>> = {
  opcodes: ({ policy, file: path }) => verifyOpcodes(policy!, readBoundedFile(path!, MIB)),
  match: ({ file: path }) => verifyMatch(readBoundedFile(path!, 2 * LIMITS.requestBytes)),
  image: ({ file: path }) => verifyImage(readBoundedFile(path!, LIMITS.requestBytes)),
  json: ({ file: path }) => verifyJson(readBoundedFile(path!, LIMITS.requestBytes)),
  request: ({ file: path }) => verifyRequest(readBoundedFile(path!, LIMITS.requestBytes)),
  handoff: ({ request, 'wallet-file': wallet }) =>
    verifyHandoff(readBoundedFile(request!, LIMITS.requestBytes), readBoundedFile(wallet!, MAX_WALLET_FILE_BYTES)),
  evidence: (options) => {
    const { request, checkpoint, 'l2-block': l2Block, file: path } = options;
    if ([checkpoint, l2Block].some((hash) => hash !== undefined && !bytes32Schema.safeParse(hash).success))
      throw usage('--checkpoint and --l2-block are 0x and 64 lowercase hex digits.');
    return verifyEvidence(readBoundedFile(path!, EVIDENCE_LIMITS.bytes), {
      digest: digestOption(options, 'digest') ?? digestInName(path!),
      ...(request === undefined ? {} : { request: readBoundedFile(request, LIMITS.requestBytes) }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(l2Block === undefined ? {} : { l2Block }),
    });
  },
  source: (options) => {
    const pinned = digestOption(options, 'verification');
    const trusted = digestOption(options, 'release');
    return verifySource(readBoundedFile(options['file']!, EVIDENCE_LIMITS.bytes), {
      digest: digestOption(options, 'digest') ?? digestInName(options['file']!),
      ...(pinned === undefined ? {} : { verification: pinned }),
      ...(trusted === undefined ? {} : { release: trusted }),
    });
  },
};

/** @throws {VerifyError} usage */
function digestOption(options: ParsedOptions, name: string): Sha256Digest | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const parsed = sha256DigestSchema.safeParse(given);
  if (!parsed.success) throw usage(`--${name} is sha256: and 64 lowercase hex digits.`);
  return parsed.data;
}

/** Returns the digest in a file name, for bundles that are kept under their address. */
function digestInName(file: string): Sha256Digest | null {
  const hex = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(basename(file))?.[0];
  return hex === undefined ? null : `sha256:${hex}`;
}
