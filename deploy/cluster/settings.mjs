// The settings of the cluster's parts, as the files and arguments that they take. Pure.

/** Addresses of the cluster. The node has one of its own, on a bridge, so that nothing depends on the machine's network. */
export const NODE = {
  nodeName: 'node1',
  nodeAddress: '10.245.0.1',
  nodeBridge: 'launch-node',
  podBridge: 'launch-pods',
  podRange: '10.244.0.0/16',
  serviceRange: '10.96.0.0/16',
  apiServiceAddress: '10.96.0.1',
  dnsAddress: '10.96.0.10',
  apiPort: 16_443,
  etcdPort: 12_379,
  etcdPeerPort: 12_380,
};

/** The image of the process that keeps a pod's namespaces. */
export const SANDBOX_IMAGE = 'localhost/cluster/sandbox:local';

/** Returns a kubeconfig with a client certificate by file. */
export function kubeconfig(certificates, client) {
  const [cluster, user] = [
    { server: `https://127.0.0.1:${NODE.apiPort}`, 'certificate-authority': `${certificates}/ca.crt` },
    { 'client-certificate': `${certificates}/${client}.crt`, 'client-key': `${certificates}/${client}.key` },
  ];
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster }],
    users: [{ name: client, user }],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: client } }],
    'current-context': 'cluster',
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns containerd's settings: all that it keeps lies below the state folder. */
export function containerdSettings(state, cniPlugins) {
  return `version = 3
root = '${state}/containerd/root'
state = '${state}/containerd/state'

[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${SANDBOX_IMAGE}'

[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['${cniPlugins}']
    conf_dir = '${state}/cni'
  [plugins.'io.containerd.cri.v1.runtime'.containerd]
    default_runtime_name = 'runc'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
      runtime_type = 'io.containerd.runc.v2'
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
        SystemdCgroup = false
`;
}

/** Returns the network of pods: a bridge, addresses from the range of pods, and ports of the machine. */
export function networkSettings(state) {
  const [subnet] = NODE.podRange.split('/');
  const bridge = {
    type: 'bridge',
    bridge: NODE.podBridge,
    isGateway: true,
    ipMasq: true,
    hairpinMode: true,
    ipam: { type: 'host-local', dataDir: `${state}/cni-addresses`, ranges: [[{ subnet: `${subnet}/24` }]], routes: [{ dst: '0.0.0.0/0' }] },
  };
  const plugins = [bridge, { type: 'portmap', capabilities: { portMappings: true } }];
  return `${JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins }, null, 2)}\n`;
}

/** Returns the kubelet's settings. Images are imported and cannot be pulled again, so none is collected. */
export function kubeletSettings(state, cgroupRoot) {
  const certificates = `${state}/certificates`;
  const settings = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: `${certificates}/ca.crt` } },
    authorization: { mode: 'Webhook' },
    tlsCertFile: `${certificates}/kubelet.crt`,
    tlsPrivateKeyFile: `${certificates}/kubelet.key`,
    clusterDomain: 'cluster.local',
    clusterDNS: [NODE.dnsAddress],
    containerRuntimeEndpoint: `unix://${state}/containerd.sock`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot,
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0,
    evictionHard: { 'memory.available': '1%', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    nodeStatusUpdateFrequency: '5s',
    volumePluginDir: `${state}/kubelet-plugins`,
    podLogsDir: `${state}/pod-logs`,
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** Returns the settings of kube-proxy, which makes the addresses of Services. */
export function proxySettings(state) {
  const settings = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: `${state}/kube-proxy.kubeconfig` },
    mode: 'iptables',
    clusterCIDR: NODE.podRange,
    hostnameOverride: NODE.nodeName,
    // The kernel's table of connections is the whole machine's.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

const apiServer = (state) => {
  const at = (name) => `${state}/certificates/${name}`;
  return [
    `--etcd-servers=http://127.0.0.1:${NODE.etcdPort}`,
    `--secure-port=${NODE.apiPort}`,
    `--advertise-address=${NODE.nodeAddress}`,
    `--tls-cert-file=${at('kube-apiserver.crt')}`,
    `--tls-private-key-file=${at('kube-apiserver.key')}`,
    `--client-ca-file=${at('ca.crt')}`,
    `--service-account-key-file=${at('service-accounts.pub')}`,
    `--service-account-signing-key-file=${at('service-accounts.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-cluster-ip-range=${NODE.serviceRange}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction,PodSecurity,ResourceQuota',
    '--anonymous-auth=false',
    '--profiling=false',
    `--kubelet-certificate-authority=${at('ca.crt')}`,
    `--kubelet-client-certificate=${at('kubelet-client.crt')}`,
    `--kubelet-client-key=${at('kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    // APIs that operators add are served behind this one.
    '--enable-aggregator-routing=true',
    `--requestheader-client-ca-file=${at('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${at('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${at('front-proxy-client.key')}`,
  ];
};

/** Returns the arguments of a process of the node, by the name of its program. */
export function processArguments(state) {
  const configured = (name) => `--kubeconfig=${state}/${name}.kubeconfig`;
  const [client, peer] = [`http://127.0.0.1:${NODE.etcdPort}`, `http://127.0.0.1:${NODE.etcdPeerPort}`];
  return {
    etcd: [
      '--name=node1',
      `--data-dir=${state}/etcd`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=node1=${peer}`,
      // A test's state may be lost with the machine.
      '--unsafe-no-fsync',
    ],
    'kube-apiserver': apiServer(state),
    'kube-controller-manager': [
      configured('kube-controller-manager'),
      `--authentication-kubeconfig=${state}/kube-controller-manager.kubeconfig`,
      `--authorization-kubeconfig=${state}/kube-controller-manager.kubeconfig`,
      '--bind-address=127.0.0.1',
      '--leader-elect=false',
      '--use-service-account-credentials',
      `--service-account-private-key-file=${state}/certificates/service-accounts.key`,
      `--root-ca-file=${state}/certificates/ca.crt`,
      '--allocate-node-cidrs',
      `--cluster-cidr=${NODE.podRange}`,
      `--service-cluster-ip-range=${NODE.serviceRange}`,
      `--flex-volume-plugin-dir=${state}/kubelet-plugins`,
    ],
    'kube-scheduler': [
      configured('kube-scheduler'),
      `--authentication-kubeconfig=${state}/kube-scheduler.kubeconfig`,
      `--authorization-kubeconfig=${state}/kube-scheduler.kubeconfig`,
      '--bind-address=127.0.0.1',
      '--leader-elect=false',
    ],
    containerd: [`--config=${state}/containerd.toml`, `--address=${state}/containerd.sock`],
    kubelet: [configured('kubelet'), `--config=${state}/kubelet.json`, `--root-dir=${state}/kubelet`, `--node-ip=${NODE.nodeAddress}`, `--hostname-override=${NODE.nodeName}`],
    'kube-proxy': [`--config=${state}/kube-proxy.json`],
    'network-policies': [configured('network-policies'), `--node=${NODE.nodeName}`, `--service-range=${NODE.serviceRange}`],
  };
}
