// The volumes of the node: folders of the state folder, that pods claim by the classes `standard` and `shared`.
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { applyObjects, kubectl } from './kubectl.mjs';
import { NODE } from './settings.mjs';

/** The classes: how many claims of each the node has room for, and how pods may mount them. */
const CLASSES = { standard: { accessMode: 'ReadWriteOnce', volumes: 24 }, shared: { accessMode: 'ReadWriteMany', volumes: 12 } };

const volumeName = (name, index) => `${name}-${String(index + 1).padStart(2, '0')}`;

/** Returns the classes and the volumes, in folders below one. Sizes are not limits: a claim of any size up to this one fits. Pure. */
export function volumeObjects(folder) {
  const classes = Object.keys(CLASSES).map((name) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': String(name === 'standard') } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  }));
  const hostname = { key: 'kubernetes.io/hostname', operator: 'In', values: [NODE.nodeName] };
  const volumes = Object.entries(CLASSES).flatMap(([storageClassName, { accessMode, volumes: count }]) =>
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volumeName(storageClassName, index) },
      spec: {
        storageClassName,
        capacity: { storage: '1Ti' },
        accessModes: [accessMode],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path: path.join(folder, volumeName(storageClassName, index)) },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [hostname] }] } },
      },
    })),
  );
  return [...classes, ...volumes];
}

/** Makes the volumes. Those whose claim was deleted are emptied, and can be claimed again. */
export function makeVolumes(state) {
  const folder = path.join(state, 'volumes');
  const released = kubectl(state, ['get', 'persistentvolumes', '--output=jsonpath={range .items[?(@.status.phase=="Released")]}{.metadata.name}{"\\n"}{end}']);
  for (const name of released.split('\n').filter((line) => line !== '')) {
    kubectl(state, ['delete', 'persistentvolume', name]);
    for (const entry of readdirSync(path.join(folder, name))) rmSync(path.join(folder, name, entry), { recursive: true });
  }
  const objects = volumeObjects(folder);
  for (const { kind, spec } of objects) {
    if (kind !== 'PersistentVolume') continue;
    mkdirSync(spec.local.path, { recursive: true });
    // A pod that names no group of its volumes may write too.
    chmodSync(spec.local.path, 0o777);
  }
  applyObjects(state, objects);
}
