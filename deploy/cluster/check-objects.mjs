// The objects of the node's check. Pure.

/** The namespace of the check, and the label of its pods. */
export const CHECKED = 'node-check';
export const INGRESS_HOST = 'check.launch.test';

const metadata = (name, labels = {}) => ({ name, namespace: CHECKED, labels: { check: CHECKED, app: name, ...labels } });

/** The settings that the Pod Security level `restricted` requires of a container. */
const restricted = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

function pod(name, { args = ['sleep', '3600'], securityContext = restricted, volume, readinessProbe }) {
  const container = { name: 'main', image: 'localhost/cluster/busybox:local', imagePullPolicy: 'Never', args, securityContext, readinessProbe };
  const volumes = volume === undefined ? [] : [{ name: 'data', ...volume }];
  const volumeMounts = volumes.map((mounted) => ({ name: mounted.name, mountPath: '/data' }));
  const spec = { terminationGracePeriodSeconds: 1, securityContext: { fsGroup: 65_532 }, containers: [{ ...container, volumeMounts }], volumes };
  return { apiVersion: 'v1', kind: 'Pod', metadata: metadata(name), spec };
}

/** Returns the objects by what they are for. */
export function checkObjects() {
  const serve = ['sh', '-c', '/busybox mkdir -p /data/www && echo hello > /data/www/index.html && exec /busybox httpd -f -p 8080 -h /data/www'];
  const backend = { service: { name: 'server', port: { number: 8080 } } };
  return {
    namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: CHECKED, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    server: pod('server', { args: serve, volume: { emptyDir: {} }, readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 } }),
    client: pod('client', {}),
    other: pod('other', {}),
    claim: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: metadata('data'),
      spec: { storageClassName: 'standard', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    writer: pod('writer', { volume: { persistentVolumeClaim: { claimName: 'data' } } }),
    service: { apiVersion: 'v1', kind: 'Service', metadata: metadata('server'), spec: { selector: { app: 'server' }, ports: [{ port: 8080 }] } },
    ingress: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: metadata('server'),
      spec: { ingressClassName: 'launch', rules: [{ host: INGRESS_HOST, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    },
    policy: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadata('server'),
      spec: {
        podSelector: { matchLabels: { app: 'server' } },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ podSelector: { matchLabels: { app: 'client' } } }], ports: [{ protocol: 'TCP', port: 8080 }] }],
      },
    },
    egress: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadata('client'),
      spec: {
        podSelector: { matchLabels: { app: 'client' } },
        policyTypes: ['Egress'],
        egress: [
          {
            to: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
                podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
              },
            ],
            ports: [{ protocol: 'UDP', port: 53 }],
          },
        ],
      },
    },
    refused: pod('refused', { securityContext: { runAsUser: 0 } }),
  };
}
