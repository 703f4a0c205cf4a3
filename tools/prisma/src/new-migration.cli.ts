// `npm run migrate:new -w prisma/<service> -- <name>`, run in the service's folder.
import path from 'node:path';
import { createMigration } from './new-migration.js';
import { findService } from './services.js';

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || rest.length > 0) {
  process.stderr.write('usage: npm run migrate:new -w prisma/<service> -- <name_of_the_change>\n');
  process.exit(2);
}
const created = await createMigration(findService(path.basename(process.cwd())), name);
process.stdout.write(
  created === undefined
    ? 'schema.prisma and the migrations agree: nothing to do\n'
    : `${path.relative(process.cwd(), created)}/migration.sql\n`,
);
