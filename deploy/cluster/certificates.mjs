// Makes the certificates of the cluster with openssl: one authority, the servers' certificates, and a client certificate for every
// part that calls the API server. Existing files stay, so that a node comes up again with the same identities.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../helm/find-helm.mjs';

/** Certificates are as old as the state folder, which lives for tests. */
const DAYS = '365';

/** Returns the options of openssl for one certificate: its subject, its use and the names that it is good for. Pure. */
export function requestExtensions({ server = false, client = false, names = [] }) {
  const uses = [...(server ? ['serverAuth'] : []), ...(client ? ['clientAuth'] : [])];
  const lines = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature,keyEncipherment', `extendedKeyUsage=${uses.join(',')}`];
  if (names.length > 0) lines.push(`subjectAltName=${names.map((name) => `${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`).join(',')}`);
  return `${lines.join('\n')}\n`;
}

function authority(folder, name) {
  const [key, certificate] = [path.join(folder, `${name}.key`), path.join(folder, `${name}.crt`)];
  if (existsSync(certificate)) return;
  runTool('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key]);
  const constraint = ['-addext', 'keyUsage=critical,keyCertSign,digitalSignature'];
  runTool('openssl', ['req', '-x509', '-new', '-key', key, '-days', DAYS, '-subj', `/CN=${name}`, '-out', certificate, ...constraint]);
}

function issue(folder, by, name, subject, use) {
  const file = (ending) => path.join(folder, `${name}.${ending}`);
  if (existsSync(file('crt'))) return;
  writeFileSync(file('ext'), requestExtensions(use));
  runTool('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('key')]);
  runTool('openssl', ['req', '-new', '-key', file('key'), '-subj', subject, '-out', file('csr')]);
  const signer = ['-CA', path.join(folder, `${by}.crt`), '-CAkey', path.join(folder, `${by}.key`), '-CAcreateserial'];
  runTool('openssl', ['x509', '-req', '-in', file('csr'), ...signer, '-days', DAYS, '-extfile', file('ext'), '-out', file('crt')]);
}

/** The clients of the API server that run beside it, by the name of their kubeconfig: the subject says what they may do. */
export const CLIENTS = {
  admin: '/O=system:masters/CN=admin',
  'kube-controller-manager': '/CN=system:kube-controller-manager',
  'kube-scheduler': '/CN=system:kube-scheduler',
  'kube-proxy': '/CN=system:kube-proxy',
  'network-policies': '/CN=network-policies',
};

/** Makes the certificates that a folder lacks, for a node's name and address and the first address of Services. */
export function makeCertificates(folder, { nodeName, nodeAddress, apiServiceAddress }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  authority(folder, 'ca');
  authority(folder, 'front-proxy-ca');
  const apiNames = ['127.0.0.1', nodeAddress, apiServiceAddress, 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  issue(folder, 'ca', 'kube-apiserver', '/CN=kube-apiserver', { server: true, names: apiNames });
  issue(folder, 'ca', 'kubelet-client', '/O=system:masters/CN=kube-apiserver-kubelet-client', { client: true });
  issue(folder, 'front-proxy-ca', 'front-proxy-client', '/CN=front-proxy-client', { client: true });
  issue(folder, 'ca', 'kubelet', `/O=system:nodes/CN=system:node:${nodeName}`, { server: true, client: true, names: [nodeName, nodeAddress] });
  for (const [name, subject] of Object.entries(CLIENTS)) issue(folder, 'ca', name, subject, { client: true });
  const serviceAccounts = path.join(folder, 'service-accounts');
  if (existsSync(`${serviceAccounts}.pub`)) return;
  runTool('openssl', ['genrsa', '-out', `${serviceAccounts}.key`, '2048']);
  runTool('openssl', ['rsa', '-in', `${serviceAccounts}.key`, '-pubout', '-out', `${serviceAccounts}.pub`]);
}
