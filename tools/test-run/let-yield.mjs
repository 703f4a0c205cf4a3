import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const LOWEST = constants.priority.PRIORITY_LOW;
/** It has ended, the system has no sessions that share a processor, or does not let them be changed (now): it shares evenly. */
const HARMLESS = ['ESRCH', 'ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EAGAIN'];

/**
 * Has the leader of a session take only the processor time that others leave, and all that it starts from then on.
 *
 * Linux shares a processor between sessions first (`autogroup`), where a process's own priority counts among those of its session
 * alone. So the session gets it too. In a container's own group there are no such sessions, and the process's counts.
 * @param {number | undefined} pid Undefined where none began: its step says so.
 */
export function letYield(pid) {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOWEST);
    writeFileSync(`/proc/${pid}/autogroup`, `${LOWEST}`);
  } catch (error) {
    if (!HARMLESS.includes(error.info?.code ?? error.code)) throw error;
  }
}
