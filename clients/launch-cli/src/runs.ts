import type { Run } from './command.js';
import type { CommandName } from './commands.js';
import { coverage } from './coverage/coverage.js';
import { credential } from './credential/credential.js';
import { explain } from './explain/explain.js';
import { list } from './launches/list.js';
import { status } from './launches/status.js';
import { submit } from './launches/submit.js';
import { validate } from './launches/validate.js';
import { init } from './pack/init.js';
import { pack } from './pack/pack.js';
import { list as planList } from './plans/list.js';
import { preflight as planPreflight } from './plans/preflight.js';
import { prove as planProve } from './plans/prove.js';
import { status as planStatus } from './plans/status.js';
import { submit as planSubmit } from './plans/submit.js';
import { version } from './version/version.js';

/** The function that runs each command. Help and completion read only the declarations. */
export const RUNS: Readonly<Record<CommandName, Run>> = {
  init,
  pack,
  validate,
  submit,
  status,
  explain,
  list,
  'plan preflight': planPreflight,
  'plan submit': planSubmit,
  'plan status': planStatus,
  'plan list': planList,
  'plan prove': planProve,
  coverage,
  credential,
  version,
};
