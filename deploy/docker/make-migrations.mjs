// Lays out the images that apply migrations: one bundled program and one database's SQL each, and the bill of materials. No Prisma
// engine, and nothing of another database.
//
//   node deploy/docker/make-migrations.mjs <empty target folder>
//
// Needs the installed packages and no build.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { describe } from './bill-of-materials.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('usage: node deploy/docker/make-migrations.mjs <empty target folder>\n');
  process.exit(2);
}

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['tools/prisma/src/deploy.cli.ts'],
  outfile: 'deploy.cjs',
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  external: ['pg-native', 'pg-cloudflare'],
  metafile: true,
  write: false,
});

/** The packages of which the bundle contains files. */
const folders = new Set(Object.keys(metafile.inputs).flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
const components = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
});
const document = { $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json', bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: {} }, components };

for (const database of readdirSync(path.join(root, 'prisma'))) {
  const migrations = path.join(root, 'prisma', database, 'migrations');
  if (!existsSync(migrations)) continue;
  const app = path.join(target, database, 'app');
  mkdirSync(app, { recursive: true });
  writeFileSync(path.join(app, 'deploy.cjs'), outputFiles[0].contents);
  cpSync(migrations, path.join(app, 'migrations'), { recursive: true });
  writeFileSync(path.join(app, 'sbom.cdx.json'), describe(`migrate-${database}`, document));
}
