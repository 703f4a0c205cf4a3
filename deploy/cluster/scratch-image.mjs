// Writes an image of one statically linked program as an OCI archive, without a container engine: the cluster's own parts run in
// pods that have nothing else in them.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTool } from '../helm/find-helm.mjs';

const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' };
const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** Returns the documents of an image with one layer, by digest, and the index that names the image. Pure. */
export function imageDocuments({ name, entrypoint, layer, architecture }) {
  const blob = (mediaType, content) => ({ content, descriptor: { mediaType, digest: `sha256:${digestOf(content)}`, size: content.length } });
  const json = (mediaType, document) => blob(mediaType, Buffer.from(JSON.stringify(document)));
  const contents = blob('application/vnd.oci.image.layer.v1.tar', layer);
  const config = json('application/vnd.oci.image.config.v1+json', {
    architecture,
    os: 'linux',
    config: { Entrypoint: entrypoint, User: '65532:65532' },
    rootfs: { type: 'layers', diff_ids: [contents.descriptor.digest] },
  });
  const manifest = json('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: config.descriptor,
    layers: [contents.descriptor],
  });
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  return { blobs: [contents, config, manifest], index: { schemaVersion: 2, manifests: [{ ...manifest.descriptor, annotations }] } };
}

/** Writes the archive of an image whose one program is a file of the machine. */
export function writeImage(archive, { name, program, args = [] }) {
  const work = mkdtempSync(path.join(tmpdir(), 'scratch-image-'));
  try {
    const [root, layout] = [path.join(work, 'root'), path.join(work, 'layout')];
    mkdirSync(root);
    mkdirSync(path.join(root, 'tmp'), { mode: 0o1777 });
    mkdirSync(path.join(layout, 'blobs/sha256'), { recursive: true });
    const file = path.basename(program);
    copyFileSync(program, path.join(root, file));
    const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    runTool('tar', ['-C', root, ...reproducible, '-cf', path.join(work, 'layer.tar'), file, 'tmp']);
    const layer = readFileSync(path.join(work, 'layer.tar'));
    const { blobs, index } = imageDocuments({ name, entrypoint: [`/${file}`, ...args], layer, architecture: ARCHITECTURE[process.arch] });
    for (const { content, descriptor } of blobs) writeFileSync(path.join(layout, 'blobs/sha256', descriptor.digest.slice('sha256:'.length)), content);
    writeFileSync(path.join(layout, 'index.json'), JSON.stringify(index));
    writeFileSync(path.join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    mkdirSync(path.dirname(archive), { recursive: true });
    runTool('tar', ['-C', layout, '-cf', archive, 'oci-layout', 'index.json', 'blobs']);
  } finally {
    rmSync(work, { recursive: true });
  }
}
