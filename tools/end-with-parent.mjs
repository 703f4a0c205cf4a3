/**
 * Has this process told to end when its parent is gone. npm runs a script in a shell, which ends at a signal and does not
 * hand it on: what the script started would stay behind.
 * @param everyMs how often to look.
 * @returns stops looking.
 */
export function endWithParent(everyMs = 250) {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, everyMs);
  looking.unref();
  return () => clearInterval(looking);
}
