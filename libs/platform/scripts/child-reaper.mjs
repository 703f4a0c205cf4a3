// Ends the children of a process that died without doing so itself (kill -9, out of memory). The parent holds the other
// end of stdin: when it closes, the reaper stops every child that is still registered. Plain JavaScript, because it
// must run from a source checkout and from a build alike.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** @type {Map<number, {signal: NodeJS.Signals, graceMs: number}>} */
const children = new Map();

// A terminal's Ctrl-C reaches the whole process group; the reaper must survive it to notice the parent's end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** Children lead their own process group, so the signal also reaches the processes that they started. */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    try {
      process.kill(pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}

function groupAlive(pid) {
  return signalGroup(pid, 0);
}

async function end([pid, { signal, graceMs }]) {
  if (!signalGroup(pid, signal)) return;
  const until = Date.now() + graceMs;
  while (Date.now() < until) {
    if (!groupAlive(pid)) return;
    await sleep(50);
  }
  signalGroup(pid, 'SIGKILL');
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => {
  const [verb, pid, signal, graceMs] = line.split(' ');
  if (verb === 'add') children.set(Number(pid), { signal, graceMs: Number(graceMs) });
  else if (verb === 'remove') children.delete(Number(pid));
});
lines.on('close', async () => {
  await Promise.all([...children].map(end));
  process.exit(0);
});
