// Makes what docker-compose.yml reads as secrets, once: a file that is there already is left alone.
//
//   sudo node deploy/make-secrets.mjs [folder, default deploy/secrets]
//
// Every file has mode 0400 and belongs to the one user that reads it in its container (PostgreSQL 999, all else 1000).
// Compose mounts files as they are. Giving files away takes root; elsewhere the commands are printed. The permit key is
// made here for a first deployment; bring your own by putting it at <folder>/permit-key before. The observers' URLs
// only the operator knows: their two files are given to their reader once they are there.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const POSTGRES = 999;
const NODE = 1000;
const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, 'secrets'));
const toGive = [];

/** Writes a file that does not exist yet and gives it to its reader; returns its text either way. */
function make(name, owner, text, mode = 0o400) {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(file, text(), { flag: 'wx', mode });
    process.stdout.write(`made ${name}\n`);
  }
  chmodSync(file, mode);
  if (process.getuid?.() === 0) chownSync(file, owner, owner);
  else toGive.push(`chown ${owner}:${owner} ${file}`);
  return readFileSync(file, 'utf8');
}

const password = () => randomBytes(24).toString('hex');
const passwordOf = (pgpass) => pgpass.trim().split(':')[4];

/** The role of one service and its database, closed to everyone else. */
const role = (name, secret, databases = [name]) =>
  [
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${secret}';`,
    ...databases.flatMap((database) => [
      `CREATE DATABASE ${database} OWNER ${name} TEMPLATE template0;`,
      `REVOKE ALL ON DATABASE ${database} FROM PUBLIC;`,
      `GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${name};`,
    ]),
    '',
  ].join('\n');
/** What the owner makes in the schema `published` of its database, the reader may read; nothing else is its own. */
const readerOf = (name, reader, secret) =>
  [
    `CREATE ROLE ${reader} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${secret}';`,
    `GRANT CONNECT ON DATABASE ${name} TO ${reader};`,
    `\\connect ${name}`,
    `CREATE SCHEMA IF NOT EXISTS published AUTHORIZATION ${name};`,
    `GRANT USAGE ON SCHEMA published TO ${reader};`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${name} IN SCHEMA published GRANT SELECT ON TABLES TO ${reader};`,
    '',
  ].join('\n');
const CLOSED = 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC;\n';

mkdirSync(folder, { recursive: true, mode: 0o711 });
const databaseOf = (service) => `launch_${service.replace('-', '_')}`;
const pgpass = (service, host, role = databaseOf(service), file = service) =>
  passwordOf(make(`${file}.pgpass`, NODE, () => `${host}:5432:${databaseOf(service)}:${role}:${password()}\n`));
const gateway = pgpass('gateway', 'postgres');
const admission = pgpass('admission', 'postgres');
const finality = pgpass('finality', 'postgres');
const moduleReview = pgpass('module-review', 'postgres');
const indexer = pgpass('indexer', 'postgres');
const READER = 'launch_indexer_reader';
const indexReader = new URL(make('index-database-url', NODE, () => `postgresql://${READER}:${password()}@postgres:5432/launch_indexer\n`).trim()).password;
const custody = pgpass('custody', 'custody-postgres');
const custodyOwner = pgpass('custody', 'custody-postgres', 'launch_custody_owner', 'custody-owner');
const temporal = make('temporal-db-password', NODE, password).trim();

make('postgres-superuser', POSTGRES, password);
const reviewRole = role('launch_module_review', moduleReview);
const indexerRoles = role('launch_indexer', indexer) + readerOf('launch_indexer', READER, indexReader);
const roles = make('postgres-roles.sql', POSTGRES, () =>
  [CLOSED, role('launch_gateway', gateway), role('launch_admission', admission), role('launch_finality', finality), reviewRole, role('temporal', temporal, ['temporal', 'temporal_visibility']), indexerRoles].join(''));
// PostgreSQL runs that script at its first start alone: a deployment made before there were reviews, or an index, runs these by hand.
if (!roles.includes('launch_module_review')) make('postgres-roles-module-review.sql', POSTGRES, () => reviewRole);
if (!roles.includes('launch_indexer')) make('postgres-roles-indexer.sql', POSTGRES, () => indexerRoles);
make('custody-postgres-superuser', POSTGRES, password);
// Custody inserts and reads. A table's owner can give itself every right to it: that role migrates, and does nothing
// else.
make('custody-postgres-roles.sql', POSTGRES, () =>
  [
    CLOSED, role('launch_custody_owner', custodyOwner, ['launch_custody']), role('launch_custody', custody, []),
    'GRANT CONNECT ON DATABASE launch_custody TO launch_custody;\n',
    '\\connect launch_custody\n',
    'ALTER DEFAULT PRIVILEGES FOR ROLE launch_custody_owner GRANT SELECT, INSERT ON TABLES TO launch_custody;\n',
  ].join(''));

make('credential-pepper', NODE, () => randomBytes(48).toString('base64url'));
make('cursor-key', NODE, () => randomBytes(48).toString('base64url'));
make('answer-signing-key.pem', NODE, () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
make('permit-key', NODE, () => `0x${randomBytes(32).toString('hex')}\n`);

// Admission signs receipts and refusals, the builder of modules its results.
for (const signer of ['admission', 'build']) {
  const pair = generateKeyPairSync('ed25519');
  const made = !existsSync(path.join(folder, `${signer}-signing-key.pem`));
  make(`${signer}-signing-key.pem`, NODE, () => pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  if (made || existsSync(path.join(folder, `${signer}-public-key.pem`))) {
    make(`${signer}-public-key.pem`, NODE, () => pair.publicKey.export({ type: 'spki', format: 'pem' }), 0o444);
  }
}

for (const [name, chain] of [['rpc-4663-urls', 'chain 4663'], ['rpc-1-urls', 'Ethereum']]) {
  if (existsSync(path.join(folder, name))) make(name, NODE);
  else process.stdout.write(`missing ${name}: write the two observers of ${chain} there, id=url,id=url, and run this again\n`);
}

if (toGive.length > 0) process.stdout.write(`\nnot root, so the files belong to you; run as root:\n${toGive.join('\n')}\n`);
