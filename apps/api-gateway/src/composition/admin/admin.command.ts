import {
  helpFor,
  readCommandLine,
  refusalLine,
  type ParsedLists,
  type ParsedOptions,
} from '@launch/client-core/command';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { LAUNCH_GATES } from '@launch/contracts/reports';
import type { Dismissal } from '../../core/feeds/held-records.repository.js';
import type { GateSetting } from '../../core/gates/launch-gates.repository.js';
import { UsageError } from './admin.errors.js';
import { ADMIN, type AdminCommandName } from './admin.program.js';
import { deploymentsOf, readPromotion, type WorkerCommand } from './worker.command.js';
import type { KeyKind } from '../../core/accounts/credentials/caller.js';
import { SCOPE_LISTS, type Scope } from '../../core/routes/scopes.js';

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
  /** Help, the version or a completion script. */
  | { readonly name: 'help'; readonly text: string }
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

/** Reads the command line. @throws UsageError that describes the fault and names the help to read. */
export function readCommand(args: readonly string[]): AdminCommand {
  const line = readCommandLine(ADMIN, args);
  if (line.kind === 'text') return { name: 'help', text: line.text };
  if (line.kind === 'refused') throw new UsageError(refusalLine(line));
  const { options, lists } = line;
  try {
    return READERS[line.command as AdminCommandName](options, lists, options['json'] !== undefined);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(refusalLine({ findings: [{ path: '', message: error.message }], help: helpFor(ADMIN, args) }));
  }
}

type Reader = (options: ParsedOptions, lists: ParsedLists, json: boolean) => AdminCommand;

const READERS: Readonly<Record<AdminCommandName, Reader>> = {
  'keys issue': (options, _lists, json) => ({
    name: 'issue',
    ...bindingOf(options),
    scopes: scopesOf(options['scopes']!),
    chain: String(CHAIN_ID),
    label: labelOf(options['label']),
    expiresAt: expiryOf(options['expires']),
    json,
  }),
  'keys rotate': (options, _lists, json) => ({
    name: 'rotate',
    credentialId: credentialOf(options['credential']!),
    graceSeconds: Number(options['grace'] ?? '0'),
    expiresAt: expiryOf(options['expires']),
    json,
  }),
  'keys revoke': (options, _lists, json) => ({
    name: 'revoke',
    credentialId: credentialOf(options['credential']!),
    json,
  }),
  'keys list': (_options, _lists, json) => ({ name: 'list', json }),
  'wallets block': (options, _lists, json) => ({ name: 'block', wallet: walletOf(options['wallet']!), json }),
  'wallets unblock': (options, _lists, json) => ({ name: 'unblock', wallet: walletOf(options['wallet']!), json }),
  'wallets list': (_options, _lists, json) => ({ name: 'list-blocked', json }),
  'gates show': (_options, _lists, json) => ({ name: 'show-gates', json }),
  'gates set': (options, lists, json) => {
    const named = lists['gate']!;
    const gates = LAUNCH_GATES.filter((gate) => named.includes(gate));
    if (gates.length !== named.length) throw new UsageError('gates set takes each gate once');
    return {
      name: 'set-gates',
      setting: { gates, isOpen: options['state'] === 'open', setBy: deciderOf(options) },
      json,
    };
  },
  'records list': (_options, _lists, json) => ({ name: 'list-records', json }),
  'records dismiss': (options, _lists, json) => ({ name: 'dismiss-record', dismissal: dismissalOf(options), json }),
  'workers list': (_options, lists, json) => ({ name: 'list-workers', deployments: deploymentsOf(lists), json }),
  'workers promote': readPromotion,
};

const LAUNCH_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ETHEREUM_RECORD = /^0x[0-9a-f]{64}\/(0|[1-9][0-9]{0,8})$/;
const MAX_REASON = 1_024;

function dismissalOf(options: ParsedOptions): Dismissal {
  const record = options['record']!;
  if (!LAUNCH_ID.test(record) && !ETHEREUM_RECORD.test(record))
    throw new UsageError(
      '<record> is one launch id, a UUID in lowercase, or of a launch on Ethereum 0x<transaction hash>/<log index>',
    );
  const reason = options['reason']!.trim();
  if (reason === '' || reason.length > MAX_REASON)
    throw new UsageError(`--reason is 1 to ${MAX_REASON} characters that everybody may read`);
  return { record, reason, dismissedBy: deciderOf(options) };
}

/** Reads `--by`, the person who decides. */
function deciderOf(options: ParsedOptions): string {
  const label = labelOf(options['by'])?.trim() ?? '';
  if (label === '') throw new UsageError('--by names the person who decides');
  return label;
}

const MAX_PARTNER_WALLETS = 256;
const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text);

function walletOf(text: string): string {
  if (!isAddress(text)) throw new UsageError('<wallet> is 0x and 40 hex digits');
  return text.toLowerCase();
}

function bindingOf({ kind: named, wallet, wallets: list }: ParsedOptions): {
  readonly kind: KeyKind;
  readonly wallets: readonly string[];
} {
  const kind = (named ?? 'wallet') as KeyKind;
  if ((kind === 'wallet' ? list : wallet) !== undefined)
    throw new UsageError('a wallet key takes --wallet, a partner key --wallets');
  const wallets = kind === 'wallet' ? [wallet ?? ''] : [...new Set((list ?? '').split(','))];
  if (!wallets.every(isAddress))
    throw new UsageError(`${kind === 'wallet' ? '--wallet is' : '--wallets are each'} 0x and 40 hex digits`);
  if (wallets.length > MAX_PARTNER_WALLETS) throw new UsageError(`--wallets are at most ${MAX_PARTNER_WALLETS}`);
  return { kind, wallets: wallets.map((wallet) => wallet.toLowerCase()) };
}

function scopesOf(text: string): readonly Scope[] {
  const asked = text.split(',').filter((scope) => scope !== '');
  for (const scopes of SCOPE_LISTS) {
    const known = scopes.filter((scope) => asked.includes(scope));
    if (asked.length > 0 && known.length === new Set(asked).size) return known;
  }
  const lists = SCOPE_LISTS.map((scopes) => scopes.join(', '));
  throw new UsageError(`--scopes is a list of ${lists.join(', or of ')}; no key has scopes of two`);
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

function credentialOf(text: string): string {
  if (!/^[0-9a-z]{20}$/.test(text)) throw new UsageError('--credential is the credentialId that issue printed');
  return text;
}
