import type { CommandShape } from '@launch/client-core/command';

const SERVICE = ['api-origin', 'chain-id'] as const;

/** Every command with its options. */
export const COMMANDS = {
  coin: { required: [...SERVICE, 'token'], flags: ['scan', 'json'] },
  verify: { required: [...SERVICE, 'transaction'], flags: ['json'] },
  feed: { required: ['api-origin', 'feed'], optional: ['page-size', 'keys-origin'], flags: ['json'] },
} as const satisfies Readonly<Record<string, CommandShape>>;
export type CommandName = keyof typeof COMMANDS;

export const HELP = `index-reader: checks what the public index says, by two endpoints a chain

  node index-reader.mjs coin   --api-origin <url> --chain-id <1|4663> --token <address> [--scan] [--json]
  node index-reader.mjs verify --api-origin <url> --chain-id <1|4663> --transaction <hash> [--json]
  node index-reader.mjs feed   --api-origin <url> --feed <v4|v3|multi-role|identities> [--page-size <1 to 25>]
                               [--keys-origin <url>] [--json]

coin verifies a coin on its chain and shows each axis by itself. --scan looks for it from the start of every source and
believes nobody where it is; without it the service is asked for the transaction, which is verified all the same.
verify judges every launch that a transaction makes at any published source. feed reads a finalized feed whole, or says
why it cannot be used. With --keys-origin, the service itself, each page has to be signed by it and may come from a mirror.
RPC_1_URLS and RPC_4663_URLS are two endpoints each, id=url,id=url, on distinct hosts; no argument may name one, since
it may hold a key. They are HTTPS, or HTTP on loopback and private hosts; two hosts of one domain are warned about on stderr. Chain 4663 needs both: its finality is on Ethereum. An origin is HTTPS, or HTTP on loopback.
With --json results are a line of JSON on stdout; failures are one on stderr always.
Exit codes: 0 verified or available, 1 internal, 2 usage, 3 refused by evidence, 4 cannot be told now, 5 not found,
11 the output cannot be written.
`;
