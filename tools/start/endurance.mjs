// Lives with one data folder by hand: `up` starts and launches, `watch` measures a running stack, `starts` ends and starts it in every way.
// usage: node tools/start/endurance.mjs up|watch|starts <data folder> [minutes | first-last]
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { issueControllerKey, runReferenceLaunch } from './dist/reference-launch/reference-launch.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { positionals } = parseArgs({ allowPositionals: true });
const [command, folder = '', span = ''] = positionals;
const dir = path.resolve(folder);
const file = (name) => path.join(dir, name);
const readJson = (name) => JSON.parse(readFileSync(file(name), 'utf8'));
const say = (text) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return !/^\S+ \S+ Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Starts the product as a person does; its parent stays, since a start ends with its parent. */
async function start() {
  mkdirSync(dir, { recursive: true });
  const log = openSync(`${dir}.log`, 'a');
  const arguments_ = [process.execPath, path.join(root, 'tools/start/dist/main.js'), '--no-launch'];
  const shell = spawn('/bin/sh', ['-c', '"$@" & echo $!; wait; exit', 'parent', ...arguments_], {
    env: { ...process.env, LAUNCH_DATA_DIR: dir },
    stdio: ['ignore', 'pipe', log],
    detached: true,
  });
  closeSync(log);
  let said = '';
  const startedAt = Date.now();
  const pid = await new Promise((resolve, reject) => {
    shell.stdout.on('data', (data) => {
      said += data;
      if (/^\d+\n/.test(said)) resolve(Number(/^\d+/.exec(said)[0]));
    });
    shell.once('exit', (code) => reject(new Error(`the start ended with ${code}\n${said}`)));
  });
  return { pid, shell, text: () => said, startedAt };
}

async function ready(started) {
  for (;;) {
    if (/every address is in/.test(started.text())) return Date.now() - started.startedAt;
    if (!alive(started.pid)) throw new Error(`the start ended\n${started.text()}`);
    await delay(100);
  }
}

async function gone(pids, what) {
  for (const end = Date.now() + 60_000; pids.some(alive); await delay(50))
    if (Date.now() > end) throw new Error(`${what}: ${pids.filter(alive)} still run`);
}

async function rpc(url, method, ...params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** The first key still reads the first launch, and the chain still has it. */
async function check() {
  const { key, launchId, transactionHash, block, balance, controller } = readJson('first-launch.json');
  const { gateway, rpc: urls } = readJson('stack.json');
  const response = await fetch(`${gateway}/v4/chains/4663/multi-role-custom-launches/${launchId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const launch = await response.json();
  const receipt = await rpc(urls['4663'][1], 'eth_getTransactionReceipt', transactionHash);
  const proof = await rpc(urls['4663'][0], 'eth_getProof', controller, [], block.number);
  const good =
    response.status === 200 &&
    launch.status === 'finalized' &&
    receipt?.blockHash === block.hash &&
    proof.balance === balance &&
    !existsSync(file('aside'));
  if (!good)
    throw new Error(
      `lost: ${response.status} ${launch.status}, receipt in ${receipt?.blockHash}, balance ${proof.balance}, aside ${existsSync(file('aside'))}`,
    );
}

async function up() {
  const started = await start();
  say(`ready after ${((await ready(started)) / 1000).toFixed(1)} s, process ${started.pid}`);
  if (!existsSync(file('first-launch.json'))) {
    const stack = readJson('stack.json');
    const key = await issueControllerKey(stack, 'the first key');
    const { launchId, transactionHash } = await launch(stack, key);
    const { blockNumber, blockHash } = await rpc(stack.rpc['4663'][0], 'eth_getTransactionReceipt', transactionHash);
    const controller = stack.controller.address;
    const { balance } = await rpc(stack.rpc['4663'][0], 'eth_getProof', controller, [], blockNumber);
    writeFileSync(
      file('first-launch.json'),
      JSON.stringify({
        key,
        launchId,
        transactionHash,
        block: { number: blockNumber, hash: blockHash },
        balance,
        controller,
      }),
      { mode: 0o600 },
    );
  }
  await check();
  say('the first key reads the first launch');
  return started;
}

function launch(stack, apiKey) {
  return runReferenceLaunch({
    stack,
    apiKey,
    referenceCase: 'zero',
    bundles: path.join(root, 'clients/multi-role/bundles'),
    workDir: file(`reference-${Date.now()}`),
    onStage: (stage, milliseconds) => say(`  ${stage} ${(milliseconds / 1000).toFixed(1)} s`),
  });
}

async function sizes() {
  const { stdout } = await run('du', ['--block-size=1', '--max-depth=1', dir]).catch((error) => error);
  const of = (name) => Number(new RegExp(`^(\\d+)\\t${name}$`, 'm').exec(stdout)?.[1] ?? 0) / 2 ** 20;
  return { all: of(dir), chains: of(file('chains')), postgres: of(file('postgres')) };
}

/** Asks every provider four times a second, the gateway once, and launches every ten minutes. */
async function watch(minutes) {
  const stack = readJson('stack.json');
  const { key, launchId } = readJson('first-launch.json');
  const urls = [...stack.rpc['4663'], ...stack.rpc['1']];
  const longest = { rpc: 0, gateway: 0 };
  const all = [];
  let failed = 0;
  let gatewayFailed = 0;
  let largest = 0;
  const time = async (kind, action) => {
    const from = performance.now();
    try {
      await action();
    } catch (error) {
      if (kind === 'rpc') failed += 1;
      else gatewayFailed += 1;
      say(`${kind}: ${error.message}`);
    }
    const took = performance.now() - from;
    longest[kind] = Math.max(longest[kind], took);
    if (kind === 'rpc') all.push(took);
  };
  let busy = false;
  const launches = setInterval(() => {
    if (busy) return;
    busy = true;
    launch(stack, key)
      .catch((error) => say(`launch: ${error.message}`))
      .finally(() => (busy = false));
  }, 600_000);
  const heads = () =>
    Promise.all(
      [stack.rpc['4663'][0], stack.rpc['1'][0]].map(async (url) => Number(await rpc(url, 'eth_blockNumber'))),
    );
  const [l2, l1] = await heads();
  const startedAt = Date.now();
  for (let round = 0; Date.now() - startedAt < minutes * 60_000; round++) {
    const calls = urls.flatMap((url) => [
      time('rpc', () => rpc(url, 'eth_blockNumber')),
      time('rpc', () => rpc(url, 'eth_getBlockByNumber', 'finalized', false)),
      time('rpc', () => rpc(url, 'eth_getBalance', stack.controller.address, 'latest')),
    ]);
    if (round % 4 === 0) {
      calls.push(
        time('gateway', async () => {
          const response = await fetch(`${stack.gateway}/v4/chains/4663/multi-role-custom-launches/${launchId}`, {
            headers: { authorization: `Bearer ${key}` },
          });
          if (!response.ok) throw new Error(`GET answers ${response.status}`);
          await response.arrayBuffer();
        }),
      );
    }
    await Promise.all(calls);
    if (round % 240 === 0) {
      const size = await sizes();
      largest = Math.max(largest, size.all);
      const [l2Now, l1Now] = await heads();
      const sorted = all.toSorted((one, other) => one - other);
      const at = (share) => sorted[Math.floor(sorted.length * share)]?.toFixed(1);
      say(
        `${((Date.now() - startedAt) / 60_000).toFixed(1)} min: ${all.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, longest ${longest.rpc.toFixed(0)} ms (${all.filter((took) => took > 300).length} over 300), failed ${failed}; gateway longest ${longest.gateway.toFixed(0)} ms, failed ${gatewayFailed}; blocks +${l2Now - l2} +${l1Now - l1}; folder ${size.all.toFixed(1)} MiB (chains ${size.chains.toFixed(1)}, postgres ${size.postgres.toFixed(1)}), largest ${largest.toFixed(1)}`,
      );
    }
    await delay(250);
  }
  clearInterval(launches);
}

const pidIn = (name) => Number(readFileSync(file(name), 'utf8').split('\n')[0]);
async function anvilOf(chain) {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,args=']);
  return Number(
    stdout
      .split('\n')
      .find((line) => line.includes(dir) && new RegExp(`^\\s*\\d+ \\S*anvil .*--chain-id ${chain} `).test(line))
      ?.trim()
      .split(' ')[0],
  );
}
const PIDS = {
  chains: 'run/chains.pid',
  custody: 'run/permit-custody.pid',
  admission: 'run/admission-worker.pid',
  finality: 'run/finality-worker.pid',
  builder: 'run/module-builder.pid',
  gateway: 'run/api-gateway.pid',
  temporal: 'temporal.sqlite.pid',
  postgres: 'postgres/postmaster.pid',
};
const everything = () => Object.values(PIDS).map(pidIn);

/** Each way of ending; Ctrl-C ends what is still there afterwards. */
const kill = (name) => async () => process.kill(pidIn(PIDS[name]), 'SIGKILL');
const WAYS = [
  ['Ctrl-C', async ({ pid }) => process.kill(pid, 'SIGINT'), true],
  [
    'Ctrl-C twice',
    async ({ pid }) => {
      process.kill(pid, 'SIGINT');
      await delay(200);
      if (alive(pid)) process.kill(pid, 'SIGINT');
    },
    true,
  ],
  ['kill -9 of npm start', async ({ pid }) => process.kill(pid, 'SIGKILL'), true],
  ['kill -9 of the chains', kill('chains')],
  ['kill -9 of the L2 anvil', async () => process.kill(await anvilOf('4663'), 'SIGKILL')],
  ['kill -9 of the L1 anvil', async () => process.kill(await anvilOf('1'), 'SIGKILL')],
  ['kill -9 of PostgreSQL', kill('postgres')],
  ['kill -9 of Temporal', kill('temporal')],
  ['kill -9 of the gateway', kill('gateway')],
  ['kill -9 of custody', kill('custody')],
  ['kill -9 of admission', kill('admission')],
  ['kill -9 of finality', kill('finality')],
  [
    'kill -9 of the chains and at once of npm start',
    async ({ pid }) => {
      process.kill(pidIn(PIDS.chains), 'SIGKILL');
      process.kill(pid, 'SIGKILL');
    },
    true,
  ],
  [
    'kill -9 of everything at once',
    async ({ pid }) => {
      for (const each of [pid, ...everything()]) if (alive(each)) process.kill(each, 'SIGKILL');
    },
    true,
  ],
  ['SIGTERM', async ({ pid }) => process.kill(pid, 'SIGTERM'), true],
  ['the terminal closed', async ({ pid }) => process.kill(pid, 'SIGHUP'), true],
  [
    'kill -9 of both anvils',
    async () => {
      for (const anvil of [await anvilOf('1'), await anvilOf('4663')]) if (alive(anvil)) process.kill(anvil, 'SIGKILL');
    },
  ],
  ['kill -9 of npm start while it starts', 'starting', 'SIGKILL'],
  ['Ctrl-C while it starts', 'starting', 'SIGINT'],
  ['Ctrl-C', async ({ pid }) => process.kill(pid, 'SIGINT'), true],
];

async function starts(first, last) {
  for (let index = first; index <= last; index++) {
    const [name, way, more] = WAYS[(index - 1) % WAYS.length];
    const started = await start();
    if (way === 'starting') {
      while (!/chains /.test(started.text())) await delay(20);
      process.kill(started.pid, more);
      await gone([started.pid], name);
      say(`start ${index}: ended by ${name} after ${Date.now() - started.startedAt} ms`);
      continue;
    }
    const took = await ready(started);
    if (!/chains .* as they were/.test(started.text())) throw new Error(started.text());
    await check();
    const pids = everything();
    await way(started);
    if (more !== true) {
      // Under a running stack: it comes back by itself, with everything.
      const end = Date.now() + 60_000;
      for (;;) {
        await delay(300);
        try {
          if (!/runs again/.test(started.text())) throw new Error('nothing runs again yet');
          await check();
          break;
        } catch (error) {
          if (Date.now() > end) throw error;
        }
      }
      pids.push(...everything());
      process.kill(started.pid, 'SIGINT');
    }
    const endedAt = Date.now();
    await gone([started.pid, ...pids], name);
    say(
      `start ${index}: ready after ${(took / 1000).toFixed(1)} s, first launch read; ended by ${name}${more === true ? '' : ', came back, read again, then Ctrl-C'} in ${((Date.now() - endedAt) / 1000).toFixed(1)} s`,
    );
  }
}

if (command === 'up') {
  const { shell } = await up();
  shell.stdout.destroy();
  shell.unref();
} else if (command === 'watch') await watch(Number(span));
else if (command === 'starts') {
  const [first, last = first] = span.split('-').map(Number);
  await starts(first, last);
} else {
  process.stderr.write('usage: node tools/start/endurance.mjs up|watch|starts <data folder> [minutes | first-last]\n');
  process.exit(2);
}
process.exit();
