import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import path from 'node:path';

/** Where Linux has a file system in memory. */
const SHARED_MEMORY = '/dev/shm';
/** What `statfs` says of a file system in memory (`TMPFS_MAGIC`, linux/magic.h). */
const TMPFS = 0x01_02_19_94;
const GIB = 2 ** 30;
/** What a run writes and throws away at most, with room to spare, and the memory that its processes need besides. */
const ROOM_BYTES = 6 * GIB;
const MEMORY_BYTES = 14 * GIB;

/**
 * Whether the files of a test run may lie in memory there.
 * @param place What is known of the file system: its type, its free bytes, its mount options; and how much memory a process
 * can still have, by its container's limit too.
 */
export function hasRoom({ type, freeBytes, options, freeMemory }) {
  // Tests start programs from their folders.
  return type === TMPFS && !options.includes('noexec') && freeBytes >= ROOM_BYTES && freeMemory >= MEMORY_BYTES;
}

function sharedMemory() {
  const { type, bavail, bsize } = statfsSync(SHARED_MEMORY);
  const mount = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder]) => folder === SHARED_MEMORY);
  return {
    type,
    freeBytes: bavail * bsize,
    options: mount?.[3]?.split(',') ?? [],
    freeMemory: process.availableMemory(),
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Names the folders of a process: containers that share the memory of a machine count their processes each by itself.
 * @param pid A number, or a pattern of one.
 */
const prefix = (pid) => `launch-tests-${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}-${pid}-`;

/** Removes the folders that this user's killed runs left in `root`: nothing else gives their memory back. */
export function removeEndedRuns(root) {
  const ours = new RegExp(`^${prefix(String.raw`(\d+)`)}`);
  for (const name of readdirSync(root)) {
    const [, pid] = ours.exec(name) ?? [];
    const folder = path.join(root, name);
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Another run that starts now may have removed it.
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid()) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a folder of this process's own in `root`. */
export function makeRunFolder(root) {
  const folder = mkdtempSync(path.join(root, prefix(process.pid)));
  // PostgreSQL goes through it as a user of its own.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * A folder in memory for what the tests of this process write and throw away, or undefined where the machine has no room
 * for it: a disk takes its time for databases that come and go (docs/adr/0084-test-files-lie-in-memory.md).
 */
export function memoryFolder() {
  if (process.platform !== 'linux' || !existsSync(SHARED_MEMORY)) return undefined;
  removeEndedRuns(SHARED_MEMORY);
  return hasRoom(sharedMemory()) ? makeRunFolder(SHARED_MEMORY) : undefined;
}
