import type { HeldRecordsRepository } from '../../core/feeds/held-records.repository.js';
import type { RecordCommand } from './admin.command.js';
import type { Outcome } from './admin.run.js';

/** Runs a command about held records; `found` is false when no record of the launch is held. */
export async function runRecordCommand(held: HeldRecordsRepository, command: RecordCommand): Promise<Outcome> {
  const print = (value: object, plain: string, found = true): Outcome => ({
    output: command.json ? `${JSON.stringify(value)}\n` : plain,
    found,
  });
  if (command.name === 'dismiss-record') {
    const { record } = command.dismissal;
    const done = await held.dismiss(command.dismissal);
    if (done === null) return print({ error: 'NOT_FOUND' }, 'no record of this launch is held back\n', false);
    return print({ record, dismissed: done.isNew }, done.isNew ? 'dismissed\n' : 'was dismissed before\n');
  }
  const records = await held.list();
  const lines = records.map(({ name, reason, quarantinedAt, dismissedReason, dismissedBy }) => {
    const status = dismissedReason === null ? 'held back' : `dismissed by ${dismissedBy}: ${dismissedReason}`;
    return `${name}  ${quarantinedAt.toISOString()}  ${reason}  ${status}\n`;
  });
  return print({ records }, lines.join(''));
}
