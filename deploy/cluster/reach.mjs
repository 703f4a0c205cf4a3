// Says which addresses are open from inside a pod of the product, as code in it would find them: it runs in the pod's own Node.js.
//
//   node deploy/cluster/reach.mjs --state <folder> --namespace <namespace> --component <service> <host>:<port> [...]
//
// A NetworkPolicy answers as a closed port does, so compare with a pod that may open the address.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { kubectl } from './kubectl.mjs';

/** The program for the pod: tries every target for three seconds and prints what came of it. */
function probe(targets) {
  const script = (list) => {
    const { connect } = require('node:net');
    const attempt = ([host, port]) =>
      new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), timeout: 3000 });
        const end = (result) => {
          socket.destroy();
          resolve(`${host}:${port} ${result}`);
        };
        socket.on('connect', () => end('open')).on('timeout', () => end('no answer')).on('error', ({ code }) => end(code));
      });
    Promise.all(list.map(attempt)).then((results) => process.stdout.write(`${results.join('\n')}\n`));
  };
  return `(${script})(${JSON.stringify(targets)})`;
}

const options = { state: { type: 'string' }, namespace: { type: 'string' }, component: { type: 'string' } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const targets = positionals.map((target) => target.split(':'));
if (Object.values(values).length < 3 || targets.length === 0 || targets.some(({ length }) => length !== 2)) {
  process.stderr.write('usage: node deploy/cluster/reach.mjs --state <folder> --namespace <namespace> --component <service> <host>:<port> [...]\n');
  process.exitCode = 2;
} else {
  const state = path.resolve(values.state);
  const namespace = `--namespace=${values.namespace}`;
  const selected = ['get', 'pods', `--selector=app.kubernetes.io/component=${values.component}`, '--field-selector=status.phase=Running'];
  const [pod] = kubectl(state, [namespace, ...selected, '--output=name']).split('\n');
  if (pod === '') throw new Error(`no pod of ${values.component} runs in ${values.namespace}`);
  process.stdout.write(kubectl(state, [namespace, 'exec', pod, '--', '/usr/local/bin/node', '--eval', probe(targets)]));
}
