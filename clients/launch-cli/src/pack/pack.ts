import { table, writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT } from '../launch.error.js';
import { packFrom } from './packing.js';

/** `launch pack`: the exact bytes of a create request, from a config. */
export async function pack(options: Options, world: World): Promise<Outcome> {
  const { bytes, report } = await packFrom(options, world);
  world.signal.throwIfAborted();
  writeNewFile(options['output']!, '--output', bytes);
  const { predictedAddresses: addresses } = report;
  return {
    exitCode: EXIT.done,
    httpStatus: null,
    resource: { ...report, predictedAddresses: { ...addresses } },
    text: table([
      ['request', report.requestSha256],
      ['bytes', String(report.byteLength)],
      ['context', report.contextHash],
      ['token', addresses.token],
      ['hook', addresses.hook],
      ['initializer', addresses.initializer],
      ['fee vault', addresses.feeVault],
      ['pool', report.poolId],
      ['value', `${report.totalValueWei} wei`],
      ['idempotency key', report.idempotencyKey],
    ]),
  };
}
