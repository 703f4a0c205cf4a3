import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DATABASE_NAMES, DATABASES } from './databases.js';

const prisma = path.resolve(import.meta.dirname, '../../../../prisma');
const schemaOf = (name: string): string => readFileSync(path.join(prisma, name, 'schema.prisma'), 'utf8');
/** Columns of bytes, whose text form would contain no digest. */
const BYTES = ['api-gateway secretMac'];

it('The collection reads every database of the product.', () => {
  const folders = readdirSync(prisma, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...DATABASE_NAMES].sort());
});

describe.each(DATABASE_NAMES)('The database %s', (name) => {
  const tables = [...schemaOf(name).matchAll(/^ {2}@@map\("(\w+)"\)/gm)].map(([, table]) => table);

  it('is recognized by tables that it has.', () => {
    for (const table of DATABASES[name]) expect(tables).toContain(table);
  });

  it('is recognized by every table with a digest of a blob.', () => {
    const holding = [...schemaOf(name).matchAll(/^model [^}]*^}/gm)]
      .map(([model]) => model)
      .filter((model) => /"(?!body_)\w*(sha256|file_digests|verification_digest)"/.test(model))
      .map((model) => /@@map\("(\w+)"\)/.exec(model)?.[1]);
    expect(holding.filter((table) => !(DATABASES[name] as readonly (string | undefined)[]).includes(table))).toEqual(
      [],
    );
  });

  it('keeps no digest as bytes, which the collection would not find.', () => {
    const bytes = [...schemaOf(name).matchAll(/^ +(\w+) +Bytes\b/gm)].map(([, column]) => `${name} ${column}`);
    expect(bytes.filter((column) => !BYTES.includes(column))).toEqual([]);
  });
});
