/** Returns the statements that make a service's role and its databases, closed to every other role. */
export const role = (name: string, password: string, databases: readonly string[] = [name]): string =>
  [
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${password}';`,
    ...databases.flatMap((database) => [
      `CREATE DATABASE ${database} OWNER ${name} TEMPLATE template0;`,
      `REVOKE ALL ON DATABASE ${database} FROM PUBLIC;`,
      `GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${name};`,
    ]),
    '',
  ].join('\n');

/** Returns the statements that make a role which reads the schema `published` of a database and nothing else. */
export const readerOf = (owner: string, reader: string, password: string): string =>
  [
    `CREATE ROLE ${reader} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${password}';`,
    `GRANT CONNECT ON DATABASE ${owner} TO ${reader};`,
    `\\connect ${owner}`,
    `CREATE SCHEMA IF NOT EXISTS published AUTHORIZATION ${owner};`,
    `GRANT USAGE ON SCHEMA published TO ${reader};`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA published GRANT SELECT ON TABLES TO ${reader};`,
    '',
  ].join('\n');

/** Returns the statements that make a role which may enter a database; the migrations of its owner say what it may do there. */
export const guestOf = (database: string, guest: string, password: string): string =>
  [
    `CREATE ROLE ${guest} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${password}';`,
    `GRANT CONNECT ON DATABASE ${database} TO ${guest};`,
    '',
  ].join('\n');

/** Returns the statements that make a role which reads every table of some databases, also later ones. */
export const collectorOf = (collector: string, databases: readonly string[], password: string): string =>
  [
    `CREATE ROLE ${collector} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${password}';`,
    `GRANT pg_read_all_data TO ${collector};`,
    ...databases.map((database) => `GRANT CONNECT ON DATABASE ${database} TO ${collector};`),
    '',
  ].join('\n');

export const CLOSED = 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC;\n';

export const CUSTODY_COLLECTOR = 'launch_custody_collector';

/** Returns the roles of custody: an owner that migrates, a service that inserts and reads, and the collection of blobs, which reads. An owner could give itself every right. */
export const custodyRoles = (passwords: {
  readonly owner: string;
  readonly service: string;
  readonly collector: string;
}): string =>
  [
    CLOSED,
    role('launch_custody_owner', passwords.owner, ['launch_custody']),
    role('launch_custody', passwords.service, []),
    'GRANT CONNECT ON DATABASE launch_custody TO launch_custody;\n',
    collectorOf(CUSTODY_COLLECTOR, ['launch_custody'], passwords.collector),
    '\\connect launch_custody\n',
    'ALTER DEFAULT PRIVILEGES FOR ROLE launch_custody_owner GRANT SELECT, INSERT ON TABLES TO launch_custody;\n',
  ].join('');
