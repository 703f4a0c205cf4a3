import { LAUNCH_GATES } from '@launch/contracts/reports';
import { runJsonTool, runTool, ToolError } from './reference-launch/run-tool.js';

interface ShownGates {
  readonly changes: readonly unknown[];
}

/**
 * Opens the gates of custom launches and plans on a machine where none was ever set, with the operator's own command. A
 * closed gate stays closed over restarts.
 */
export async function openGatesOnce(adminCommand: readonly string[]): Promise<void> {
  const gates = (...words: readonly string[]) => [...adminCommand, 'gates', ...words, '--json'];
  const { changes } = await runJsonTool<ShownGates>('launch-admin', gates('show'));
  if (changes.length > 0) return;
  const opened = await runTool(gates('set', ...LAUNCH_GATES, 'open', '--by', 'npm start'));
  if (opened.exitCode !== 0) throw new ToolError('launch-admin', opened);
}
