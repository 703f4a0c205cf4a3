import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseManifests } from '../helm/rendered.mjs';
import { mountsBelow, removalOf, setsOf } from './leftovers.mjs';
import { buildArguments, NODE_PROGRAMS, pinnedVersion, PROGRAMS, WRAPPERS } from './program-list.mjs';
import { imageDocuments } from './scratch-image.mjs';
import { containerdSettings, kubeconfig, kubeletSettings, networkSettings, NODE, processArguments, SANDBOX_IMAGE } from './settings.mjs';

const folder = path.resolve(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const manifests = globSync('manifests/*.yaml', { cwd: folder }).map((file) => ({ file, objects: parseManifests(read(file)) }));

describe('the programs of the cluster', () => {
  it('have one pinned version per wrapper, and sums of what it downloads', () => {
    for (const [wrapper, { module }] of Object.entries(WRAPPERS)) {
      expect(pinnedVersion(read(`programs/${wrapper}/go.mod`), module)).toMatch(/^\d+\.\d+\.\d+$/);
      expect(read(`programs/${wrapper}/go.sum`)).toContain(`${module} v`);
    }
  });

  it('are named by the wrapper that builds them', () => {
    for (const { wrapper, package: goPackage = '' } of Object.values(PROGRAMS).filter((program) => program.wrapper !== undefined)) {
      const sources = globSync(`programs/${wrapper}/*.go`, { cwd: folder }).map((file) => read(file));
      expect(sources.join('\n')).toContain(goPackage === '.' ? 'package main' : `"${goPackage}"`);
    }
  });

  it('include all that a node runs on, before what runs in pods', () => {
    expect(NODE_PROGRAMS).toEqual(expect.arrayContaining(['etcd', 'kube-apiserver', 'kubelet', 'containerd', 'coredns', 'kubectl']));
    expect(NODE_PROGRAMS).not.toContain('traefik');
  });

  it('report the version that they were built of', () => {
    const built = buildArguments(PROGRAMS['kubelet'], '1.36.3', '/cache/kubelet').join(' ');
    expect(built).toContain('version.gitVersion=v1.36.3');
    expect(built).toContain('version.gitMinor=36');
    expect(built).toMatch(/-o \/cache\/kubelet k8s\.io\/kubernetes\/cmd\/kubelet$/);
  });

  it('have no version that go.mod does not require', () => {
    expect(() => pinnedVersion('module a\n\nrequire k8s.io/kubernetesx v1.2.3\n', 'k8s.io/kubernetes')).toThrow('requires no version');
    expect(pinnedVersion('require (\n\tk8s.io/kubernetes v1.36.3\n)\n', 'k8s.io/kubernetes')).toBe('1.36.3');
  });
});

describe('what a node leaves in the kernel', () => {
  const saved = [
    '*nat',
    ':PREROUTING ACCEPT [0:0]',
    ':DOCKER - [0:0]',
    ':KUBE-SERVICES - [0:0]',
    ':CNI-HOSTPORT-DNAT - [0:0]',
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER',
    '-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
    '-A KUBE-SERVICES -d 10.96.0.1/32 -j KUBE-SVC-A',
    'COMMIT',
    '*filter',
    ':FORWARD DROP [0:0]',
    ':DOCKER-USER - [0:0]',
    '-A FORWARD -j DOCKER-USER',
    'COMMIT',
  ].join('\n');

  it('is removed by table, with the rules that lead to it and without those of others', () => {
    expect(removalOf(saved).split('\n')).toEqual([
      '*nat',
      ':KUBE-SERVICES - [0:0]',
      ':CNI-HOSTPORT-DNAT - [0:0]',
      '-D PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
      '-D PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
      '-X KUBE-SERVICES',
      '-X CNI-HOSTPORT-DNAT',
      'COMMIT',
    ]);
  });

  it('is nothing on a machine that has no chain of it', () => {
    expect(removalOf('*filter\n:FORWARD DROP [0:0]\n:DOCKER-USER - [0:0]\n-A FORWARD -j DOCKER-USER\nCOMMIT\n')).toBe('');
  });

  it('is unmounted from the inside out, and only below the state folder', () => {
    const mounts = 'overlay /s/a/rootfs overlay rw 0 0\ntmpfs /s/a/rootfs/with\\040space tmpfs rw 0 0\ntmpfs /sx tmpfs rw 0 0\nproc /proc proc rw 0 0\n';
    expect(mountsBelow(mounts, '/s')).toEqual(['/s/a/rootfs/with space', '/s/a/rootfs']);
  });

  it('includes the sets of kube-router and no other', () => {
    expect(setsOf('KUBE-SRC-ABC\nmine\ninet6:KUBE-DST-A\nkube-router-local-pods\n')).toEqual(['KUBE-SRC-ABC', 'inet6:KUBE-DST-A', 'kube-router-local-pods']);
  });
});

describe('the settings of a node', () => {
  it('keep everything below the state folder', () => {
    const texts = [kubeletSettings('/state', '/pods'), networkSettings('/state'), containerdSettings('/state', '/plugins')];
    const args = Object.values(processArguments('/state')).flat();
    const files = [...texts.join('\n').matchAll(/["'](\/[^"']+)["']/g)].map(([, file]) => file).concat(args.flatMap((argument) => /=(\/.+)$/.exec(argument)?.[1] ?? []));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !/^\/(state|plugins|pods)(\/|$)/.test(file ?? ''))).toEqual([]);
  });

  it('pin the image of the sandbox, and let no pod in without a certificate or a token', () => {
    expect(containerdSettings('/state', '/plugins')).toContain(`sandbox = '${SANDBOX_IMAGE}'`);
    expect(JSON.parse(kubeletSettings('/state', '/pods'))).toMatchObject({ authentication: { anonymous: { enabled: false } }, authorization: { mode: 'Webhook' } });
    expect(processArguments('/state')['kube-apiserver']).toEqual(expect.arrayContaining(['--anonymous-auth=false', '--authorization-mode=Node,RBAC']));
  });

  it('name the certificate of each client', () => {
    const { users } = JSON.parse(kubeconfig('/certificates', 'admin')) as { users: unknown };
    expect(users).toEqual([{ name: 'admin', user: { 'client-certificate': '/certificates/admin.crt', 'client-key': '/certificates/admin.key' } }]);
  });
});

describe('the manifests of the cluster', () => {
  it('start images of the cluster itself, which are never pulled', () => {
    const text = manifests.map(({ objects }) => JSON.stringify(objects)).join('\n');
    const images = [...text.matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image ?? '');
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) expect(Object.keys(PROGRAMS)).toContain(/^localhost\/cluster\/(.+):local$/.exec(image)?.[1]);
    expect(text.match(/"imagePullPolicy":"Never"/g)).toHaveLength(images.length);
  });

  it('give DNS the address that the kubelet tells pods', () => {
    const services = manifests.flatMap(({ objects }) => objects).filter((object) => 'kind' in object && object.kind === 'Service');
    expect(services).toContainEqual(expect.objectContaining({ spec: expect.objectContaining({ clusterIP: NODE.dnsAddress }) as unknown }));
    expect(JSON.parse(kubeletSettings('/state', '/pods'))).toMatchObject({ clusterDNS: [NODE.dnsAddress] });
  });
});

describe('an image of one program', () => {
  it('names what it contains by digest', () => {
    const layer = Buffer.from('layer');
    const { blobs, index } = imageDocuments({ name: 'localhost/cluster/a:local', entrypoint: ['/a'], layer, architecture: 'amd64' });
    for (const { content, descriptor } of blobs) {
      expect(descriptor).toMatchObject({ digest: `sha256:${createHash('sha256').update(content).digest('hex')}`, size: content.length });
    }
    const [contents, config, manifest] = blobs;
    expect(JSON.parse(String(manifest?.content))).toMatchObject({ config: config?.descriptor, layers: [contents?.descriptor] });
    expect(JSON.parse(String(config?.content))).toMatchObject({ config: { Entrypoint: ['/a'], User: '65532:65532' } });
    expect(index.manifests).toEqual([expect.objectContaining({ ...manifest?.descriptor, annotations: expect.objectContaining({ 'io.containerd.image.name': 'localhost/cluster/a:local' }) as unknown })]);
  });
});
