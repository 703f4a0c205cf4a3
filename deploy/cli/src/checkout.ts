import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { DeployError } from './deploy.error.js';

/** The root of the repository that this program is built in. */
export const CHECKOUT = path.resolve(import.meta.dirname, '../../..');

/** A commit, as contexts name the release that they belong to. */
export interface Release {
  readonly sourceCommit: string;
  readonly sourceTree: string;
}

/**
 * Returns the commit of the checkout.
 *
 * @throws {DeployError} CHECKOUT_INVALID where tracked files differ from it.
 */
export function releaseOfCheckout(): Release {
  const git = (...args: string[]): string => {
    try {
      return execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch (error) {
      throw new DeployError(
        'CHECKOUT_INVALID',
        `git ${args[0]} failed in ${CHECKOUT}: ${error instanceof Error ? error.message : String(error)}`,
        'Run the command from a clone of the repository, as a user that git trusts it to (git config safe.directory).',
      );
    }
  };
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    throw new DeployError(
      'CHECKOUT_INVALID',
      'tracked files of the checkout differ from its commit, which the context names',
      'Check out the release again, or commit the changes.',
    );
  return { sourceCommit: git('rev-parse', 'HEAD'), sourceTree: git('rev-parse', 'HEAD^{tree}') };
}
