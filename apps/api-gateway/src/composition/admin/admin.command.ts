import { parseArgs } from 'node:util';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { LAUNCH_GATES } from '@launch/contracts/reports';
import type { Dismissal } from '../../core/feeds/held-records.repository.js';
import type { GateSetting } from '../../core/gates/launch-gates.repository.js';
import { UsageError } from './admin.errors.js';
import { readWorkerCommand, type WorkerCommand } from './worker.command.js';
import { KEY_KINDS, type KeyKind } from '../../core/accounts/credentials/caller.js';
import { SCOPE_LISTS, type Scope } from '../../core/routes/scopes.js';

export const USAGE = `usage:
  launch-admin keys issue [--kind wallet] --wallet 0x… --scopes custom-launch:create,custom-launch:read [--chain 4663] [--label text] [--expires RFC3339] [--json]
  launch-admin keys issue --kind partner --wallets 0x…,0x… --scopes … (the rest as above; launches for the listed wallets only)
  launch-admin keys issue --wallet 0x… --scopes modules:submit,modules:read (for modules: such a key launches nothing)
  launch-admin keys issue --wallet 0x… --scopes modules:review (for a reviewer of modules: good at the reviewer's listener alone)
  launch-admin keys rotate --credential <id> [--grace <seconds>] [--expires RFC3339] [--json]
  launch-admin keys revoke --credential <id> [--json]
  launch-admin keys list [--json]
  launch-admin wallets block 0x… [--json]
  launch-admin wallets unblock 0x… [--json]
  launch-admin wallets list [--json]
  launch-admin gates show [--json]
  launch-admin gates set publicWrites|publicAuthorization|releaseReady… open|closed --by <label> [--json]
  launch-admin records list [--json]
  launch-admin records dismiss <launchId>|<transactionHash>/<logIndex> --by <label> --reason <text> [--json]
  launch-admin workers list [--deployment <name>]… [--json]
  launch-admin workers promote [--deployment <name>]… [--build-id <id>] [--wait <seconds>] [--json]
A new key ends when the one before it would have, unless --expires says otherwise.
Revoking ends one key at once. The wallet it is bound to gets no key by signing in any more, until wallets unblock; a partner key's wallets are not concerned.
wallets block does that to a wallet by itself, and ends none of its keys: it names those that still live.
gates set opens or closes new custom launches and plans, in every gateway within two seconds; each change is kept with its label. Several gates change at once. Gates begin closed.
records are those that failed their own verification and are held back. Dismissing one takes it out of the counts of its feed, for good; the reason is shown to everybody.
workers promote makes this release's version of each deployment current, or of one deployment the version named: it gets new workflows, and open ones move to it. It waits for the version's workers (60 seconds unless --wait says otherwise), promotes nothing without them, and prints what takes it back.
environment: DATABASE_URL, and CREDENTIAL_PEPPER_FILE for keys and wallets; for workers TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS and TEMPORAL_API_KEY_FILE alone. A key's plaintext is printed once, by issue and rotate.
exit codes: 0 done, 2 usage, 5 not found, 8 unavailable, 11 the output cannot be written
`;

/** A command about gates. */
export type GateCommand =
  | { readonly name: 'show-gates'; readonly json: boolean }
  | { readonly name: 'set-gates'; readonly setting: GateSetting; readonly json: boolean };

export const isGateCommand = (command: AdminCommand): command is GateCommand =>
  command.name === 'show-gates' || command.name === 'set-gates';

/** A command about held records. */
export type RecordCommand =
  | { readonly name: 'list-records'; readonly json: boolean }
  | { readonly name: 'dismiss-record'; readonly dismissal: Dismissal; readonly json: boolean };

export const isRecordCommand = (command: AdminCommand): command is RecordCommand =>
  command.name === 'list-records' || command.name === 'dismiss-record';

export const isWorkerCommand = (command: AdminCommand): command is WorkerCommand =>
  command.name === 'list-workers' || command.name === 'promote-workers';

export type AdminCommand =
  | { readonly name: 'help' }
  | WorkerCommand
  | GateCommand
  | RecordCommand
  | {
      readonly name: 'issue';
      /** A wallet key has one wallet, a partner key an allow-list. */
      readonly kind: KeyKind;
      readonly wallets: readonly string[];
      readonly scopes: readonly Scope[];
      readonly chain: string;
      readonly label: string | null;
      readonly expiresAt: Date | null;
      readonly json: boolean;
    }
  | {
      readonly name: 'rotate';
      readonly credentialId: string;
      readonly graceSeconds: number;
      readonly expiresAt: Date | null;
      readonly json: boolean;
    }
  | { readonly name: 'revoke'; readonly credentialId: string; readonly json: boolean }
  | { readonly name: 'list'; readonly json: boolean }
  | { readonly name: 'block' | 'unblock'; readonly wallet: string; readonly json: boolean }
  | { readonly name: 'list-blocked'; readonly json: boolean };

const COMMANDS =
  'the command is keys issue, rotate, revoke or list, wallets block, unblock or list, gates show or set, records list or dismiss, or workers list or promote';
const MAX_GRACE_SECONDS = 30 * 24 * 3_600;

/** Reads the command line. @throws UsageError that describes the fault. */
export function readCommand(args: readonly string[]): AdminCommand {
  if (args.includes('--help') || args.length === 0) return { name: 'help' };
  const { values, positionals } = parse(args);
  const [group, verb, ...rest] = positionals;
  const json = values.json === true;
  if (group === 'workers') return readWorkerCommand(verb, rest, values);
  if (values.deployment !== undefined || values['build-id'] !== undefined || values.wait !== undefined)
    throw new UsageError('--deployment, --build-id and --wait belong to workers');
  if (group === 'wallets') return walletCommand(verb, rest, values, json);
  if (group === 'gates') return gateCommand(verb, rest, values, json);
  if (group === 'records') return recordCommand(verb, rest, values, json);
  if (values.by !== undefined || values.reason !== undefined)
    throw new UsageError('--by belongs to gates set and records dismiss, --reason to records dismiss');
  if (group !== 'keys' || rest.length > 0) throw new UsageError(COMMANDS);
  switch (verb) {
    case 'issue':
      return {
        name: 'issue',
        ...bindingOf(values),
        scopes: scopesOf(values.scopes),
        chain: chainOf(values.chain),
        label: labelOf(values.label),
        expiresAt: expiryOf(values.expires),
        json,
      };
    case 'rotate':
      return {
        name: 'rotate',
        credentialId: credentialOf(values.credential),
        graceSeconds: graceOf(values.grace),
        expiresAt: expiryOf(values.expires),
        json,
      };
    case 'revoke':
      return { name: 'revoke', credentialId: credentialOf(values.credential), json };
    case 'list':
      return { name: 'list', json };
    default:
      throw new UsageError(COMMANDS);
  }
}

function walletCommand(
  verb: string | undefined,
  wallets: readonly string[],
  values: object,
  json: boolean,
): AdminCommand {
  if (Object.keys(values).some((option) => option !== 'json'))
    throw new UsageError('wallets takes a wallet and --json alone');
  if (verb === 'list' && wallets.length === 0) return { name: 'list-blocked', json };
  if (verb !== 'block' && verb !== 'unblock') throw new UsageError(COMMANDS);
  const [wallet = ''] = wallets;
  if (wallets.length !== 1 || !isAddress(wallet))
    throw new UsageError(`wallets ${verb} takes one wallet, 0x and 40 hex digits`);
  return { name: verb, wallet: wallet.toLowerCase(), json };
}

function gateCommand(
  verb: string | undefined,
  words: readonly string[],
  values: { readonly by?: string | undefined },
  json: boolean,
): AdminCommand {
  if (Object.keys(values).some((option) => option !== 'json' && option !== 'by'))
    throw new UsageError('gates takes --by and --json alone');
  if (verb === 'show' && words.length === 0 && values.by === undefined) return { name: 'show-gates', json };
  if (verb !== 'set') throw new UsageError(COMMANDS);
  const names = words.slice(0, -1);
  const state = words.at(-1);
  const gates = LAUNCH_GATES.filter((gate) => names.includes(gate));
  if (gates.length === 0 || gates.length !== names.length || (state !== 'open' && state !== 'closed'))
    throw new UsageError(`gates set takes one or more of ${LAUNCH_GATES.join(', ')}, each once, then open or closed`);
  const setBy = labelOf(values.by)?.trim() ?? '';
  if (setBy === '') throw new UsageError('gates set needs --by: who says so');
  return { name: 'set-gates', setting: { gates, isOpen: state === 'open', setBy }, json };
}

const LAUNCH_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ETHEREUM_RECORD = /^0x[0-9a-f]{64}\/(0|[1-9][0-9]{0,8})$/;
const MAX_REASON = 1_024;

function recordCommand(
  verb: string | undefined,
  words: readonly string[],
  values: { readonly by?: string | undefined; readonly reason?: string | undefined },
  json: boolean,
): AdminCommand {
  if (Object.keys(values).some((option) => !['json', 'by', 'reason'].includes(option)))
    throw new UsageError('records takes --by, --reason and --json alone');
  const hasMore = values.by !== undefined || values.reason !== undefined;
  if (verb === 'list' && words.length === 0 && !hasMore) return { name: 'list-records', json };
  if (verb !== 'dismiss') throw new UsageError(COMMANDS);
  const [record = ''] = words;
  if (words.length !== 1 || !(LAUNCH_ID.test(record) || ETHEREUM_RECORD.test(record)))
    throw new UsageError(
      'records dismiss takes one launch id, a UUID in lowercase, or of a launch on Ethereum 0x<transaction hash>/<log index>',
    );
  const dismissedBy = labelOf(values.by)?.trim() ?? '';
  const reason = values.reason?.trim() ?? '';
  if (dismissedBy === '') throw new UsageError('records dismiss needs --by: who says so');
  if (reason === '' || reason.length > MAX_REASON)
    throw new UsageError(`records dismiss needs --reason: 1 to ${MAX_REASON} characters that everybody may read`);
  return { name: 'dismiss-record', dismissal: { record, reason, dismissedBy }, json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kind: { type: 'string' },
        wallet: { type: 'string' },
        wallets: { type: 'string' },
        scopes: { type: 'string' },
        chain: { type: 'string' },
        label: { type: 'string' },
        expires: { type: 'string' },
        credential: { type: 'string' },
        grace: { type: 'string' },
        by: { type: 'string' },
        reason: { type: 'string' },
        deployment: { type: 'string', multiple: true },
        'build-id': { type: 'string' },
        wait: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read');
  }
}

const MAX_PARTNER_WALLETS = 256;
const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

function bindingOf(values: { readonly kind?: string; readonly wallet?: string; readonly wallets?: string }): {
  readonly kind: KeyKind;
  readonly wallets: readonly string[];
} {
  const kind = KEY_KINDS.find((one) => one === (values.kind ?? 'wallet'));
  if (kind === undefined) throw new UsageError(`--kind is ${KEY_KINDS.join(' or ')}`);
  if ((kind === 'wallet' ? values.wallets : values.wallet) !== undefined)
    throw new UsageError('a wallet key takes --wallet, a partner key --wallets');
  const wallets = kind === 'wallet' ? [values.wallet ?? ''] : [...new Set((values.wallets ?? '').split(','))];
  if (!wallets.every(isAddress))
    throw new UsageError(`${kind === 'wallet' ? '--wallet is' : '--wallets are each'} 0x and 40 hex digits`);
  if (wallets.length > MAX_PARTNER_WALLETS) throw new UsageError(`--wallets are at most ${MAX_PARTNER_WALLETS}`);
  return { kind, wallets: wallets.map((wallet) => wallet.toLowerCase()) };
}

function scopesOf(text: string | undefined): readonly Scope[] {
  const asked = (text ?? '').split(',').filter((scope) => scope !== '');
  for (const scopes of SCOPE_LISTS) {
    const known = scopes.filter((scope) => asked.includes(scope));
    if (asked.length > 0 && known.length === new Set(asked).size) return known;
  }
  const lists = SCOPE_LISTS.map((scopes) => scopes.join(', '));
  throw new UsageError(`--scopes is a list of ${lists.join(', or of ')}; no key has scopes of two`);
}

function chainOf(text: string | undefined): string {
  if (text !== undefined && text !== String(CHAIN_ID)) throw new UsageError(`--chain can only be ${CHAIN_ID}`);
  return String(CHAIN_ID);
}

function labelOf(text: string | undefined): string | null {
  if (text !== undefined && text.length > 128) throw new UsageError('a label is at most 128 characters');
  return text ?? null;
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new UsageError('--expires is an RFC 3339 time');
  return at;
}

function credentialOf(text: string | undefined): string {
  if (text === undefined || !/^[0-9a-z]{20}$/.test(text))
    throw new UsageError('--credential is the credentialId that issue printed');
  return text;
}

function graceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^(0|[1-9][0-9]{0,7})$/.test(text) || Number(text) > MAX_GRACE_SECONDS)
    throw new UsageError(`--grace is 0 to ${MAX_GRACE_SECONDS} seconds`);
  return Number(text);
}
