import {
  JSON_OPTION,
  RELEASE,
  RETRY_OPTION,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '@launch/client-core/command';
import { LIMITS } from '@launch/contracts/primitives';
import { DEFAULT_TIMEOUT_SECONDS, DEFAULT_WAIT_MAX_SECONDS, MAX_TIMEOUT_SECONDS } from './await-stage.js';
import { STAGES } from './launch-stage.js';

const fileOption = (name: string, summary: string): OptionDeclaration => ({ name, value: 'file', summary });

const request = fileOption('request', 'read the packed request');
const handoff = fileOption('handoff', 'read the saved wallet hand-off');
const saveResponse = fileOption('save-response', 'write the exact bytes of the response to a new file (mode 0600)');
const saveWallet = fileOption('save-wallet', 'write the wallet hand-off to a new file (mode 0600)');
const original = fileOption('original-launch', 'name the launch by a kept response of create or get');
const launchId: OptionDeclaration = { name: 'launch-id', value: 'uuid', summary: 'name the launch by its id' };
const onchainId: OptionDeclaration = {
  name: 'onchain-launch-id',
  value: 'hash',
  summary: 'name the launch by its id on chain',
};
const transactionHash: OptionDeclaration = {
  name: 'transaction-hash',
  value: 'hash',
  summary: '0x and 64 lowercase hex digits',
  required: true,
};
const pages: readonly OptionDeclaration[] = [
  { name: 'limit', value: 'n', summary: 'items of a page', range: [1, LIMITS.listMax] },
  { name: 'cursor', value: 'cursor', summary: 'begin with the page that nextCursor of another page names' },
];
const required = (option: OptionDeclaration): OptionDeclaration => ({ ...option, required: true });

/** The transport client. Every command but `wait` calls the service at most once, unless `--retry` is given. */
export const CLIENT: ProgramDeclaration = {
  name: 'multi-role-client',
  file: 'client.mjs',
  version: RELEASE,
  summary: 'multi-role launch requests, carried to the service, and its responses back',
  options: [JSON_OPTION],
  commands: [
    {
      name: 'download',
      summary: 'fetch the published files, and compare all of them with the digests of the capabilities',
      details: 'Fetches only the files that the folder lacks. No key is used.',
      options: [
        { name: 'into', value: 'folder', summary: 'the folder of the files', default: '.' },
        saveResponse,
        RETRY_OPTION,
      ],
      examples: ['download --save-response capabilities.json'],
    },
    {
      name: 'capabilities',
      summary: 'read the capabilities of the service, without a key',
      options: [saveResponse, RETRY_OPTION],
      examples: ['capabilities --save-response capabilities.json'],
    },
    {
      name: 'preflight',
      summary: 'ask the service about a request, which it does not store',
      options: [required(request), saveResponse, RETRY_OPTION],
      examples: ['preflight --request request.json'],
    },
    {
      name: 'create',
      summary: 'reserve a launch; the same bytes and key are the same launch',
      options: [
        required(request),
        { name: 'idempotency-key', value: 'key', summary: 'replace the key that follows from the bytes' },
        saveWallet,
        saveResponse,
        RETRY_OPTION,
      ],
      examples: ['create --request request.json --save-response created.json'],
    },
    {
      name: 'get',
      summary: 'read a launch once',
      details: 'Needs exactly one of --launch-id and --original-launch.',
      options: [launchId, original, saveWallet, saveResponse, RETRY_OPTION],
      examples: ['get --original-launch created.json'],
    },
    {
      name: 'wait',
      summary: 'read a launch until it comes to a stage',
      details: `Needs exactly one of <launch-id> (or --launch-id) and --original-launch. Prints each change and the next expected
time on stderr, obeys Retry-After, and reads again after a failure that may pass. Ends with 3 if the launch ends before the
stage, and with 8 when the time is over.`,
      positionals: [{ name: 'launch-id', noun: 'a launch id', summary: 'name the launch by its id', optional: true }],
      options: [
        { name: 'until', value: 'stage', summary: 'the stage', values: STAGES, required: true },
        launchId,
        original,
        {
          name: 'timeout',
          value: 'seconds',
          summary: 'the longest time to wait',
          range: [1, MAX_TIMEOUT_SECONDS],
          default: String(DEFAULT_TIMEOUT_SECONDS),
        },
        {
          name: 'wait-max',
          value: 'seconds',
          summary: 'set how long the wait outlives an outage, which then ends with 8 or 9',
          range: [0, MAX_TIMEOUT_SECONDS],
          default: String(DEFAULT_WAIT_MAX_SECONDS),
        },
        saveWallet,
        saveResponse,
      ],
      examples: ['wait --original-launch created.json --until authorized --save-wallet wallet.json'],
    },
    {
      name: 'check-handoff',
      summary: 'compare a saved wallet hand-off with your own request, without the service',
      options: [required(request), required(handoff), saveResponse],
      examples: ['check-handoff --request request.json --handoff wallet.json'],
    },
    {
      name: 'wallet-request',
      summary: 'check a hand-off, and print the parameter of eth_sendTransaction',
      options: [required(request), required(handoff), saveResponse],
      examples: ['wallet-request --request request.json --handoff wallet.json --save-response send.json'],
    },
    {
      name: 'list',
      summary: "list your key's launches, newest first",
      options: [...pages, saveResponse, RETRY_OPTION],
      examples: ['list --limit 25'],
    },
    {
      name: 'transaction-hints',
      summary: 'name the transaction of a launch of finality V2',
      options: [required(launchId), transactionHash, saveResponse, RETRY_OPTION],
      examples: ['transaction-hints --launch-id <uuid> --transaction-hash 0x…'],
    },
    {
      name: 'transaction-hint-status',
      summary: 'read the finality of a launch of finality V2',
      options: [required(launchId), saveResponse, RETRY_OPTION],
      examples: ['transaction-hint-status --launch-id <uuid>'],
    },
    {
      name: 'finality',
      summary: 'read the finality of a launch of finality V2',
      options: [required(launchId), saveResponse, RETRY_OPTION],
      examples: ['finality --launch-id <uuid>'],
    },
    {
      name: 'evidence',
      summary: 'keep the evidence of finality, for launch-verify evidence',
      details: 'Needs exactly one of --launch-id and --original-launch.',
      options: [launchId, original, required(saveResponse), RETRY_OPTION],
      examples: ['evidence --original-launch created.json --save-response evidence.json'],
    },
    {
      name: 'finality-discovery',
      summary: 'read the finality V3 policy of the service, without a key',
      options: [saveResponse, RETRY_OPTION],
      examples: ['finality-discovery'],
    },
    {
      name: 'recovery-transaction-hints',
      summary: 'name the transaction of a kept launch, of either generation',
      details: `The context of the kept response, which must hash to the contextHash beside it, decides between finality V2 and V3.`,
      options: [required(original), transactionHash, saveResponse, RETRY_OPTION],
      examples: ['recovery-transaction-hints --original-launch created.json --transaction-hash 0x…'],
    },
    {
      name: 'recovery-finality',
      summary: 'read the finality of a kept launch, of either generation',
      details: `The context of the kept response, which must hash to the contextHash beside it, decides between finality V2 and V3.`,
      options: [required(original), saveResponse, RETRY_OPTION],
      examples: ['recovery-finality --original-launch created.json'],
    },
    {
      name: 'finalized',
      summary: 'list the public finalized launches, without a key',
      options: [...pages, saveResponse, RETRY_OPTION],
      examples: ['finalized --limit 25'],
    },
    {
      name: 'finalized-record',
      summary: 'read the public record of a finalized launch, without a key',
      details: 'Needs exactly one of --onchain-launch-id and --original-launch.',
      options: [onchainId, original, saveResponse, RETRY_OPTION],
      examples: ['finalized-record --original-launch created.json'],
    },
  ],
  details: `Results and failures are text on a terminal, and one line of JSON each in a pipe or with --json.
SERVICE_API_BASE_URL is the service's HTTPS origin (HTTP on loopback only), SERVICE_API_KEY the key.
Request files are sent byte for byte. Nothing is signed or broadcast; files are created new (mode 0600).
Exit codes: 0 done, 2 usage, 3 findings, 4 authorization, 5 not found, 6 conflict,
7 rate limited, 8 unavailable, 9 network or deadline, 10 response not understood, 11 file.`,
};
