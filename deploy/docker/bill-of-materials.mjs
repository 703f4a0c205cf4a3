// The CycloneDX bill of materials of an image. npm writes it; the image's serial number and time are those of its contents, so that
// the same sources give the same file.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the bill of materials of a folder with a manifest and a lockfile, as JSON.
 * @param {string} folder
 * @param {string} name of the image
 */
export function billOfMaterials(folder, name) {
  const lockOnly = existsSync(path.join(folder, 'node_modules')) ? [] : ['--package-lock-only'];
  const npm = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', ...lockOnly];
  return describe(name, JSON.parse(execFileSync('npm', npm, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })));
}

/** Returns a bill of materials that depends on its contents alone. */
export function describe(name, { serialNumber: _serial, metadata, ...rest }) {
  const { timestamp: _time, ...said } = metadata;
  const contents = { ...rest, metadata: { ...said, component: { ...said.component, type: 'application', name } } };
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  // A UUID of version 8, whose bits are the application's own.
  const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return `${JSON.stringify({ ...contents, serialNumber: `urn:uuid:${serial}` }, null, 2)}\n`;
}
