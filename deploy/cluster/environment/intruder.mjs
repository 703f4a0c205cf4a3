// Tries what code in a pod of the product could do with the pod's own files and credentials, and prints what worked as JSON. The cluster
// test sends it to the pod's Node.js. It leaves terminated workflows of a type that no worker has.
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { argv, env, stdout } from 'node:process';

// Codes of gRPC.
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const OWN = 'intrusion';
const { addresses, namespaces, databases } = JSON.parse(argv[2]);
const file = (name) => (env[name] === undefined ? undefined : readFileSync(env[name], 'utf8').trim());

/** Returns the names of attempts that succeed. An attempt that is refused returns false; every other failure ends the program. */
async function successes(attempts) {
  const names = [];
  for (const [name, attempt] of Object.entries(attempts)) if (await attempt()) names.push(name);
  return names;
}

const isOpen = (address) =>
  new Promise((resolve) => {
    const [host, port] = address.split(':');
    const socket = connect({ host, port: Number(port), timeout: 3_000 });
    const end = (open) => {
      socket.destroy();
      resolve(open);
    };
    // A NetworkPolicy answers as a closed port does.
    socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
  });

async function reached() {
  const open = await Promise.all(addresses.map(isOpen));
  return addresses.filter((_, index) => open[index]);
}

async function temporal() {
  const { Connection } = await import('@temporalio/client');
  const pem = (name) => readFileSync(env[name]);
  const connection = await Connection.connect({
    address: env.TEMPORAL_ADDRESS,
    apiKey: file('TEMPORAL_API_KEY_FILE'),
    tls: {
      serverNameOverride: env.TEMPORAL_SERVER_NAME,
      serverRootCACertificate: pem('TEMPORAL_CA_FILE'),
      clientCertPair: { crt: pem('TEMPORAL_CLIENT_CERT_FILE'), key: pem('TEMPORAL_CLIENT_KEY_FILE') },
    },
  });
  const { workflowService } = connection;
  const allowed = (call) => async () => {
    try {
      await connection.withDeadline(Date.now() + 20_000, call);
      return true;
    } catch (error) {
      if (error.code === PERMISSION_DENIED) return false;
      throw error;
    }
  };
  const found = {};
  for (const namespace of namespaces) {
    const execution = { workflowId: `${OWN}-${Date.now()}` };
    const taskQueue = { name: OWN };
    found[namespace] = await successes({
      list: allowed(() => workflowService.listWorkflowExecutions({ namespace, pageSize: 1 })),
      start: allowed(() =>
        workflowService.startWorkflowExecution({
          namespace,
          ...execution,
          requestId: execution.workflowId,
          workflowType: { name: OWN },
          taskQueue,
          workflowExecutionTimeout: { seconds: 60 },
        }),
      ),
      terminate: allowed(() =>
        workflowService.terminateWorkflowExecution({ namespace, workflowExecution: execution, reason: OWN }).catch((error) => {
          // Without the right to start, there is no execution to end.
          if (error.code !== NOT_FOUND) throw error;
        }),
      ),
      describe: allowed(() => workflowService.describeNamespace({ namespace })),
    });
  }
  await connection.close();
  return found;
}

async function blobs() {
  if (!existsSync(env.AWS_SHARED_CREDENTIALS_FILE ?? '')) return {};
  const { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const found = {};
  for (const name of ['BLOB_STORE', 'BUILD_RESULTS_STORE'].filter((one) => env[one] !== undefined)) {
    const store = new URL(env[name]);
    const { region, endpoint } = Object.fromEntries(store.searchParams);
    const client = new S3Client({ region, endpoint, forcePathStyle: true });
    const [Bucket, prefix] = [store.hostname, store.pathname.slice(1)];
    const allowed = (command) => async () => {
      try {
        await client.send(command);
        return true;
      } catch (error) {
        if (error.$metadata?.httpStatusCode === 403) return false;
        throw error;
      }
    };
    const own = { Bucket, Key: `${prefix}/${OWN}` };
    found[prefix] = await successes({
      list: allowed(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })),
      write: allowed(new PutObjectCommand({ ...own, Body: OWN })),
      remove: allowed(new DeleteObjectCommand(own)),
    });
  }
  return found;
}

async function openDatabases() {
  const url = file('DATABASE_URL_FILE');
  if (url === undefined) return [];
  const { default: pg } = await import('pg');
  const opens = (database) => async () => {
    const target = new URL(url);
    target.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: target.href });
    try {
      await client.connect();
      return true;
    } catch (error) {
      // insufficient_privilege
      if (error.code === '42501') return false;
      throw error;
    } finally {
      await client.end();
    }
  };
  return successes(Object.fromEntries(databases.map((database) => [database, opens(database)])));
}

const found = { reached: await reached(), temporal: await temporal(), blobs: await blobs(), databases: await openDatabases() };
stdout.write(`${JSON.stringify(found)}\n`);
