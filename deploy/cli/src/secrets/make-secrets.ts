import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { CLOSED, collectorOf, CUSTODY_COLLECTOR, custodyRoles, guestOf, readerOf, role } from './database-roles.js';
import type { SecretFiles } from './secret-files.js';
import { issueToken, TOKEN_HOLDERS, tokenKeySet } from './temporal-tokens.js';

/** The users of the containers: Compose mounts files as they are, so each belongs to the user that reads it. */
const POSTGRES = 999;
const NODE = 65532;
const READER = 'launch_indexer_reader';
const REVIEW_CONSOLE = 'launch_review_console';
const COLLECTOR = 'launch_blob_collector';

/** The databases of the collection of blobs on the services' server. */
const COLLECTED = ['gateway', 'admission', 'finality', 'module-review', 'indexer'] as const;

const password = (): string => randomBytes(24).toString('hex');
const databaseOf = (service: string): string => `launch_${service.replace('-', '_')}`;

/** Makes every secret that does not exist yet. Returns what is left to the operator, a line each. */
export function makeSecrets(files: SecretFiles): readonly string[] {
  makeDatabaseRoles(files);
  makeKeys(files);
  makeTemporalTokens(files);
  const missing = giveObserverUrls(files);
  const { toGive } = files;
  return toGive.length === 0 ? missing : [...missing, 'not root, so the files belong to you; run as root:', ...toGive];
}

/** Writes a password file of PostgreSQL; returns its password. */
function pgpass(files: SecretFiles, service: string, host: string, user = databaseOf(service), file = service): string {
  const line = files.make(`${file}.pgpass`, NODE, () => `${host}:5432:${databaseOf(service)}:${user}:${password()}\n`);
  return line.trim().split(':')[4] ?? '';
}

/** Writes the URLs by which the collection of blobs enters a server; returns the password of its role. */
function collectorUrls(files: SecretFiles, role: string, services: readonly string[], host: string): string {
  const [first = '', ...rest] = services;
  const make = (service: string, secret: () => string): string => {
    const url = `postgresql://${role}:${secret()}@${host}:5432/${databaseOf(service)}\n`;
    return new URL(files.make(`collector-${service}-url`, NODE, () => url).trim()).password;
  };
  const made = make(first, password);
  for (const service of rest) make(service, () => made);
  return made;
}

function makeDatabaseRoles(files: SecretFiles): void {
  const [gateway, admission, finality, moduleReview, indexer] = COLLECTED.map((service) =>
    pgpass(files, service, 'postgres'),
  ) as [string, string, string, string, string];
  const reviewConsole = pgpass(files, 'gateway', 'postgres', REVIEW_CONSOLE, 'review-console');
  const readerUrl = files.make(
    'index-database-url',
    NODE,
    () => `postgresql://${READER}:${password()}@postgres:5432/launch_indexer\n`,
  );
  const indexReader = new URL(readerUrl.trim()).password;
  const custody = pgpass(files, 'custody', 'custody-postgres');
  const custodyOwner = pgpass(files, 'custody', 'custody-postgres', 'launch_custody_owner', 'custody-owner');
  const collector = collectorUrls(files, COLLECTOR, COLLECTED, 'postgres');
  const custodyCollector = collectorUrls(files, CUSTODY_COLLECTOR, ['custody'], 'custody-postgres');
  const temporal = files.make('temporal-db-password', NODE, password).trim();

  files.make('postgres-superuser', POSTGRES, password);
  files.make('postgres-roles.sql', POSTGRES, () =>
    [
      CLOSED,
      role('launch_gateway', gateway),
      guestOf('launch_gateway', REVIEW_CONSOLE, reviewConsole),
      role('launch_admission', admission),
      role('launch_finality', finality),
      role('launch_module_review', moduleReview),
      role('temporal', temporal, ['temporal', 'temporal_visibility']),
      role('launch_indexer', indexer),
      collectorOf(COLLECTOR, COLLECTED.map(databaseOf), collector),
      readerOf('launch_indexer', READER, indexReader),
    ].join(''),
  );
  files.make('custody-postgres-superuser', POSTGRES, password);
  files.make('custody-postgres-roles.sql', POSTGRES, () =>
    custodyRoles({ owner: custodyOwner, service: custody, collector: custodyCollector }),
  );
}

function makeKeys(files: SecretFiles): void {
  const text = (): string => randomBytes(48).toString('base64url');
  files.make('credential-pepper', NODE, text);
  files.make('cursor-key', NODE, text);
  files.make('answer-signing-key.pem', NODE, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  files.make('permit-key', NODE, () => `0x${randomBytes(32).toString('hex')}\n`);
  // Admission signs receipts and results, finality its observations, the builder of modules its results.
  for (const signer of ['admission', 'finality', 'build'])
    makeSigningPair(files, `${signer}-signing-key.pem`, `${signer}-public-key.pem`);
}

/**
 * No container reads the key that signs the tokens. To replace the tokens, remove them; to replace the key, remove it,
 * its key set and the tokens.
 */
function makeTemporalTokens(files: SecretFiles): void {
  const pem = files.make('temporal-token-key.pem', process.getuid?.() ?? NODE, () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const key = createPrivateKey(pem);
  files.make('temporal-jwks.json', NODE, () => tokenKeySet(key));
  for (const holder of TOKEN_HOLDERS)
    files.make(`temporal-token-${holder}`, NODE, () => `${issueToken(key, holder, new Date())}\n`);
}

/** A private key of the operator's own has its public half beside it, or none is made. */
function makeSigningPair(files: SecretFiles, privateName: string, publicName: string): void {
  const pair = generateKeyPairSync('ed25519');
  const isNew = !files.has(privateName);
  files.make(privateName, NODE, () => pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  if (isNew || files.has(publicName))
    files.make(publicName, NODE, () => pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o444);
}

/** The operator alone knows the observers: their files are given to their reader once they exist. */
function giveObserverUrls(files: SecretFiles): readonly string[] {
  const missing: string[] = [];
  for (const [name, chain] of [
    ['rpc-4663-urls', 'chain 4663'],
    ['rpc-1-urls', 'Ethereum'],
  ] as const) {
    if (files.has(name)) files.give(name, NODE);
    else missing.push(`missing ${name}: write the two observers of ${chain} there, id=url,id=url, and run this again`);
  }
  return missing;
}
