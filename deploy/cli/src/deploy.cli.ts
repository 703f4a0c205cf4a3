import {
  findingText,
  readCommandLine,
  RELEASE,
  type Printed,
  type ProgramDeclaration,
} from '@launch/client-core/command';
import type { Command, Host } from './command.types.js';
import { writeContext } from './context/write-context.command.js';
import { DEPLOY_EXIT_CODES, DeployError, type DeployErrorCode } from './deploy.error.js';
import { pinImagesCommand } from './images/pin-images.command.js';
import { writeIndexSources } from './index-sources/write-index-sources.command.js';
import { answerKey } from './keys/answer-key.command.js';
import { permitAuthority } from './keys/permit-authority.command.js';
import { writeReviewerPolicy } from './reviewer-policy/write-reviewer-policy.command.js';
import { makeSecretsCommand } from './secrets/make-secrets.command.js';
import { trustedDeploymentsCommand } from './trusted-deployments/trusted-deployments.command.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  'make-secrets': makeSecretsCommand,
  'permit-authority': permitAuthority,
  'write-context': writeContext,
  'write-reviewer-policy': writeReviewerPolicy,
  'write-index-sources': writeIndexSources,
  'trusted-deployments': trustedDeploymentsCommand,
  'answer-key': answerKey,
  'pin-images': pinImagesCommand,
};

export const DEPLOY: ProgramDeclaration = {
  name: 'launch-deploy',
  version: RELEASE,
  summary: 'deployments of Custom Launch, prepared (deploy/README.md)',
  commands: Object.entries(COMMANDS).map(([name, command]) => ({ name, ...command })),
  helpsByDefault: true,
  details: `Progress and errors go to standard error, results to standard output.

Exit codes:
   0  done
   2  ${codesOf(2)}
   3  ${codesOf(3)}
   8  ${codesOf(8)}; the same call may succeed later
  11  ${codesOf(11)}`,
};

function codesOf(exitCode: number): string {
  const codes = Object.keys(DEPLOY_EXIT_CODES) as DeployErrorCode[];
  return codes.filter((code) => DEPLOY_EXIT_CODES[code] === exitCode).join(', ');
}

/** Runs one call, from its arguments to its output and exit code. */
export async function runDeploy(argv: readonly string[], host: Host): Promise<Printed> {
  try {
    return { exitCode: 0, stdout: await resultOf(argv, host), stderr: '' };
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    const { code, message, remedy, exitCode, output } = error;
    return { exitCode, stdout: output, stderr: `launch-deploy: ${code}: ${message}\n${remedy}\n` };
  }
}

async function resultOf(argv: readonly string[], host: Host): Promise<string> {
  const line = readCommandLine(DEPLOY, argv);
  if (line.kind === 'text') return line.text;
  if (line.kind === 'run') return COMMANDS[line.command]!.run(line.options, host);
  throw new DeployError('ARGUMENTS_INVALID', line.findings.map(findingText).join('; '), `Run ${line.help}.`);
}
