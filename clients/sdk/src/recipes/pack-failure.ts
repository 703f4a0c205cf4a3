import { PackError } from '@launch/multi-role';
import { LaunchClientError } from '../transport/launch-client.error.js';

/** Runs a packer, and turns its refusal into the error of this library. */
export async function packing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    throw new LaunchClientError(error.code, error.message, { findings: error.findings });
  }
}
