// Installs the packages of every service's image, and writes its bill of materials.
//
//   node deploy/docker/make-packages.mjs <empty target folder>
//
// Needs the manifests of the repository alone. Plain Node without dependencies.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assembleManifests } from './assemble.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';
import { SERVICES } from './services.mjs';

const CPU = { x64: 'x86_64', arm64: 'aarch64' };

function installService(service, app) {
  assembleManifests(`apps/${service}`, app);
  const npm = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', npm, { cwd: app, stdio: ['ignore', 'inherit', 'inherit'] });
  removeOtherPlatforms(path.join(app, 'node_modules/@temporalio/core-bridge/releases'));
  writeFileSync(path.join(app, 'sbom.cdx.json'), billOfMaterials(app, service));
}

/** The Temporal SDK has its native module for five platforms, of 25 MB each. */
function removeOtherPlatforms(releases) {
  if (!existsSync(releases)) return;
  const wanted = `${CPU[process.arch]}-unknown-linux-gnu`;
  if (!existsSync(path.join(releases, wanted))) throw new Error(`the Temporal SDK has no native module for ${wanted}`);
  for (const name of readdirSync(releases)) if (name !== wanted) rmSync(path.join(releases, name), { recursive: true });
}

/** The website's image has no packages: the bill of materials is of those that its build takes. */
function describeSite(app) {
  const work = mkdtempSync(path.join(tmpdir(), 'site-'));
  try {
    assembleManifests('apps/site', work);
    mkdirSync(app, { recursive: true });
    writeFileSync(path.join(app, 'sbom.cdx.json'), billOfMaterials(work, 'site'));
  } finally {
    rmSync(work, { recursive: true });
  }
}

const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('usage: node deploy/docker/make-packages.mjs <empty target folder>\n');
  process.exit(2);
}
for (const service of SERVICES) installService(service, path.join(target, service, 'app'));
describeSite(path.join(target, 'site', 'app'));
