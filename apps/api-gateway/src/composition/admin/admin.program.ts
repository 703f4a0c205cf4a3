import {
  JSON_OPTION,
  RELEASE,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '@launch/client-core/command';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { LAUNCH_GATES } from '@launch/contracts/reports';
import { KEY_KINDS } from '../../core/accounts/credentials/caller.js';
import {
  DEFAULT_REPLAY_SECONDS,
  DEFAULT_WAIT_SECONDS,
  MAX_WAIT_SECONDS,
  MIN_REPLAY_SECONDS,
  WORKER_DEPLOYMENTS,
} from './worker.command.js';

const MAX_GRACE_SECONDS = 30 * 24 * 3_600;

const credential: OptionDeclaration = {
  name: 'credential',
  value: 'id',
  summary: 'the credentialId that issue printed',
  required: true,
};
const expires: OptionDeclaration = {
  name: 'expires',
  value: 'time',
  summary: 'end the key at an RFC 3339 time; a rotated key otherwise ends with the one before it',
};
const by: OptionDeclaration = { name: 'by', value: 'label', summary: 'the person who decides', required: true };
const wallet = { name: 'wallet', noun: 'a wallet', summary: '0x and 40 hex digits' } as const;
const deployment: OptionDeclaration = {
  name: 'deployment',
  value: 'name',
  summary: 'select a deployment; without it all',
  values: WORKER_DEPLOYMENTS,
  repeatable: true,
};

const TABLE = [
  {
    name: 'keys issue',
    summary: 'issue a key, and print it once',
    details: `A wallet key takes --wallet. A partner key takes --wallets and launches for the listed wallets only. A key with the scopes
modules:submit and modules:read launches nothing; one with modules:review is valid at the listener of the reviewers alone.`,
    options: [
      { name: 'kind', value: 'kind', summary: 'the kind of the key', values: KEY_KINDS, default: 'wallet' },
      { name: 'wallet', value: 'address', summary: 'the wallet of a wallet key' },
      { name: 'wallets', value: 'addresses', summary: 'the wallets of a partner key, separated by commas' },
      { name: 'scopes', value: 'scopes', summary: 'the scopes, separated by commas', required: true },
      {
        name: 'chain',
        value: 'id',
        summary: 'the chain of the key',
        values: [String(CHAIN_ID)],
        default: String(CHAIN_ID),
      },
      { name: 'label', value: 'text', summary: 'a label, at most 128 characters' },
      expires,
    ],
    examples: [
      'keys issue --wallet 0x… --scopes custom-launch:create,custom-launch:read',
      'keys issue --kind partner --wallets 0x…,0x… --scopes custom-launch:read',
      'keys issue --wallet 0x… --scopes modules:submit,modules:read',
    ],
  },
  {
    name: 'keys rotate',
    summary: 'issue the successor of a key, and print it once',
    options: [
      credential,
      {
        name: 'grace',
        value: 'seconds',
        summary: 'keep the old key valid',
        range: [0, MAX_GRACE_SECONDS],
        default: '0',
      },
      expires,
    ],
    examples: ['keys rotate --credential <id> --grace 3600'],
  },
  {
    name: 'keys revoke',
    summary: 'end one key at once',
    details: `The wallet that the key is bound to gets no key by signing in any more, until wallets unblock. The wallets of a partner key
are not concerned.`,
    options: [credential],
    examples: ['keys revoke --credential <id>'],
  },
  { name: 'keys list', summary: 'list the keys, without their secrets', examples: ['keys list'] },
  {
    name: 'wallets block',
    summary: 'refuse a wallet that signs in, and end none of its keys',
    details: 'Names the keys of the wallet that are still valid.',
    positionals: [wallet],
    examples: ['wallets block 0x…'],
  },
  {
    name: 'wallets unblock',
    summary: 'let a wallet sign in again',
    positionals: [wallet],
    examples: ['wallets unblock 0x…'],
  },
  { name: 'wallets list', summary: 'list the blocked wallets', examples: ['wallets list'] },
  { name: 'gates show', summary: 'show the gates of custom launches and plans', examples: ['gates show'] },
  {
    name: 'gates set',
    summary: 'open or close gates, in every gateway within two seconds',
    details: 'Several gates change at once. Each change is kept with its label. Gates begin closed.',
    positionals: [
      { name: 'gate', noun: 'a gate', summary: 'the gate', values: LAUNCH_GATES, repeatable: true },
      { name: 'state', noun: 'a state', summary: 'the new state', values: ['open', 'closed'] },
    ],
    options: [by],
    examples: ['gates set publicWrites closed --by night-watch', 'gates set publicWrites releaseReady open --by ana'],
  },
  {
    name: 'records list',
    summary: 'list the records that failed their own verification and are held back',
    examples: ['records list'],
  },
  {
    name: 'records dismiss',
    summary: 'take a held record out of the counts of its feed, for good',
    positionals: [
      { name: 'record', noun: 'a record', summary: 'a launch id, or <transactionHash>/<logIndex> of Ethereum' },
    ],
    options: [by, { name: 'reason', value: 'text', summary: 'a reason that everybody may read', required: true }],
    examples: ['records dismiss <launchId> --by ana --reason duplicate'],
  },
  {
    name: 'workers list',
    summary: 'list the worker versions of each deployment',
    options: [deployment],
    examples: ['workers list'],
  },
  {
    name: 'workers promote',
    summary: "make this release's version of each deployment current",
    details: `A current version gets new workflows, and open ones move to it. The command waits for the workers of the version and has them replay
recent histories. It promotes nothing unless every version passes, and prints the command that takes the promotion back. A version
that was current before is promoted without a replay, so that a rollback never waits.`,
    options: [
      deployment,
      { name: 'build-id', value: 'id', summary: 'another version, of the one --deployment: 16 hex digits' },
      {
        name: 'wait',
        value: 'seconds',
        summary: 'wait for the workers',
        range: [0, MAX_WAIT_SECONDS],
        default: String(DEFAULT_WAIT_SECONDS),
      },
      {
        name: 'replay-within',
        value: 'seconds',
        summary: 'time for the replay of recent histories',
        range: [MIN_REPLAY_SECONDS, MAX_WAIT_SECONDS],
        default: String(DEFAULT_REPLAY_SECONDS),
      },
      { name: 'skip-replay', summary: 'promote without replaying recent histories' },
    ],
    examples: ['workers promote', 'workers promote --deployment finality-worker --build-id 0123456789abcdef'],
  },
] as const satisfies readonly CommandDeclaration[];
export type AdminCommandName = (typeof TABLE)[number]['name'];

export const ADMIN: ProgramDeclaration = {
  name: 'launch-admin',
  version: RELEASE,
  summary: 'keys, wallets, gates, held records and worker versions of a deployment',
  options: [JSON_OPTION],
  commands: TABLE,
  helpsByDefault: true,
  groups: {
    keys: 'API keys',
    wallets: 'wallets that may not sign in',
    gates: 'gates of custom launches and plans',
    records: 'held records',
    workers: 'worker versions',
  },
  details: `Environment: DATABASE_URL, and CREDENTIAL_PEPPER_FILE for keys and wallets; for workers TEMPORAL_ADDRESS,
TEMPORAL_NAMESPACE, TEMPORAL_MODULES_NAMESPACE, TEMPORAL_TLS and TEMPORAL_API_KEY_FILE alone.
A result is text, and one line of JSON with --json. The secret of a key is printed once, by issue and rotate.
Exit codes: 0 done, 2 usage, 5 not found, 8 unavailable, 11 the output cannot be written.`,
};
