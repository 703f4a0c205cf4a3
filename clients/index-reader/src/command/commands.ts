import {
  JSON_OPTION,
  RELEASE,
  RETRY_OPTION,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '@launch/client-core/command';

const apiOrigin: OptionDeclaration = {
  name: 'api-origin',
  value: 'url',
  summary: 'the origin of the service or of a mirror: HTTPS, or HTTP on loopback',
  required: true,
};
const chainId: OptionDeclaration = {
  name: 'chain-id',
  value: 'id',
  summary: 'the chain',
  values: ['1', '4663'],
  required: true,
};
export const FEEDS = ['v4', 'v3', 'multi-role', 'identities'] as const;

const TABLE = [
  {
    name: 'coin',
    summary: 'verify a coin on its chain, and show each axis by itself',
    details: `--scan looks for the coin from the start of every source and asks no service for its place. Without it the service names the
transaction, which is verified all the same.`,
    options: [
      apiOrigin,
      chainId,
      { name: 'token', value: 'address', summary: 'the token', required: true },
      { name: 'scan', summary: 'look for the coin from the start of every source' },
      RETRY_OPTION,
    ],
    examples: ['coin --api-origin https://launch.example --chain-id 4663 --token 0x…'],
  },
  {
    name: 'verify',
    summary: 'judge every launch that a transaction makes at any published source',
    options: [
      apiOrigin,
      chainId,
      { name: 'transaction', value: 'hash', summary: 'the hash of the transaction', required: true },
      RETRY_OPTION,
    ],
    examples: ['verify --api-origin https://launch.example --chain-id 4663 --transaction 0x…'],
  },
  {
    name: 'feed',
    summary: 'read a finalized feed whole, or say why it cannot be used',
    details: 'With --keys-origin, the service itself, each page must be signed by it and may come from a mirror.',
    options: [
      apiOrigin,
      { name: 'feed', value: 'feed', summary: 'the feed', values: FEEDS, required: true },
      { name: 'page-size', value: 'n', summary: 'items of a page', range: [1, 25] },
      { name: 'keys-origin', value: 'url', summary: 'read the keys that sign pages from this origin' },
      RETRY_OPTION,
    ],
    examples: ['feed --api-origin https://mirror.example --feed v3 --keys-origin https://launch.example'],
  },
] as const satisfies readonly CommandDeclaration[];
export type CommandName = (typeof TABLE)[number]['name'];

export const INDEX_READER: ProgramDeclaration = {
  name: 'index-reader',
  file: 'index-reader.mjs',
  version: RELEASE,
  summary: 'the public index, checked by two endpoints a chain',
  options: [JSON_OPTION],
  commands: TABLE,
  details: `RPC_1_URLS and RPC_4663_URLS are two endpoints each, id=url,id=url, on distinct hosts; no argument may name one, since it
may hold a key. They are HTTPS, or HTTP on loopback and private hosts; two hosts of one domain cause a warning on stderr.
Chain 4663 needs both variables: its finality is on Ethereum.
Results and failures are text on a terminal, and one line of JSON each in a pipe or with --json.
Exit codes: 0 verified or available, 1 internal, 2 usage, 3 refused by evidence, 4 undecided now, 5 not found,
11 the output cannot be written.`,
};
