// Lays out what every image contains below the product: Node.js, the libraries that it and its native modules load, the users,
// and the folders for data. Runs in the base image (Debian), plain Node without dependencies.
//
//   node make-system.mjs <empty target folder>
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('usage: node make-system.mjs <empty target folder>\n');
  process.exit(2);
}
/** The user of every service. */
const USER = 65532;
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' });
const at = (file) => path.join(target, file);

/** Copies a file, links followed, to the same path or another. */
function carry(file, as = file) {
  mkdirSync(path.dirname(at(as)), { recursive: true });
  cpSync(realpathSync(file), at(as));
}

/** The libraries that the dynamic loader names for Node.js, itself included, and the one more that native modules of the services need. */
const libraries = [...run('ldd', process.execPath).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file]) => file);
libraries.push(libraries.find((file) => path.basename(file) === 'libc.so.6').replace('libc.so.6', 'librt.so.1'));

/** The Debian package of a file, as `dpkg-query` knows it. Files under /lib are listed there or under /usr/lib. */
function packageOf(file) {
  const real = realpathSync(file);
  const { stdout } = spawnSync('dpkg-query', ['--search', file, real, real.replace(/^\/usr/, '')], { encoding: 'utf8' });
  const [name] = stdout.split(':', 1);
  if (!name) throw new Error(`no package has ${file}`);
  return name;
}

const packages = new Set();
carry(process.execPath, '/usr/local/bin/node');
chmodSync(at('/usr/local/bin/node'), 0o755);
for (const file of libraries) {
  carry(file);
  packages.add(packageOf(file));
}
carry('/etc/os-release');
writeFileSync(at('/etc/nsswitch.conf'), 'hosts: files dns\n');
writeFileSync(at('/etc/passwd'), `root:x:0:0:root:/:/usr/sbin/nologin\nnonroot:x:${USER}:${USER}:nonroot:/tmp:/usr/sbin/nologin\n`);
writeFileSync(at('/etc/group'), `root:x:0:\nnonroot:x:${USER}:\n`);
cpSync(path.join(import.meta.dirname, 'healthcheck.mjs'), at('/healthcheck.mjs'));
mkdirSync(at('/app'));
mkdirSync(at('/tmp'));
chmodSync(at('/tmp'), 0o1777);
// A new volume takes owner and mode from here.
for (const folder of ['blobs', 'build-results', 'compiler-cache']) {
  mkdirSync(at(`/var/lib/launch/${folder}`), { recursive: true });
  chmodSync(at(`/var/lib/launch/${folder}`), 0o750);
  chownSync(at(`/var/lib/launch/${folder}`), USER, USER);
}

// The bill of materials of this layer, and the licences.
const architecture = run('dpkg', '--print-architecture').trim();
const components = [...packages].sort().map((name) => {
  const version = run('dpkg-query', '--show', '--showformat=${Version}', name);
  const licence = `/usr/share/doc/${name}/copyright`;
  if (existsSync(licence)) carry(licence);
  return { type: 'library', name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}` };
});
const node = process.version.slice(1);
mkdirSync(at('/usr/share/sbom'), { recursive: true });
writeFileSync(
  at('/usr/share/sbom/system.cdx.json'),
  JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      components: [{ type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` }, ...components],
    },
    null,
    2,
  ),
);
