import type { Known, WriteFacts } from '@launch/contracts/index';
import {
  DISCOVERY_PATH,
  launchGatesSchema,
  launchReportPath,
  LAUNCH_GATES,
  type LaunchGate,
  type LaunchGates,
} from '@launch/contracts/reports';
import { ExchangeError } from '@launch/client-core/transport';
import { z } from 'zod';
import type { ServiceRead } from '../feed/service-read.js';

const gates = z.looseObject(launchGatesSchema.shape);
const discovery = z.looseObject({
  customLaunchApi: z.looseObject({
    versions: z.looseObject({ v4: gates.extend({ chains: z.array(gates).length(1) }) }),
  }),
});
const readiness = z.looseObject({ gates });

const UNREAD: WriteFacts = {
  publicWrites: null,
  publicAuthorization: null,
  releaseReady: null,
  readinessMatches: null,
};

/** Reads the gates of new launches from live discovery, and whether readiness agrees. Unreadable values stay unknown. */
export async function readWrites(service: ServiceRead): Promise<WriteFacts> {
  const said = discovery.safeParse(await bodyOf(service, DISCOVERY_PATH));
  if (!said.success) return UNREAD;
  const { v4 } = said.data.customLaunchApi.versions;
  const [chain] = v4.chains;
  const ready = readiness.safeParse(await bodyOf(service, launchReportPath('readiness')));
  const isSame = (other: LaunchGates): boolean => LAUNCH_GATES.every((gate) => v4[gate] === other[gate]);
  const readinessMatches: Known = ready.success ? isSame(ready.data.gates) && isSame(chain!) : null;
  return { ...pick(v4), readinessMatches };
}

const pick = (from: LaunchGates): Record<LaunchGate, boolean> => ({
  publicWrites: from.publicWrites,
  publicAuthorization: from.publicAuthorization,
  releaseReady: from.releaseReady,
});

/** Returns the body, or null without a usable answer. */
async function bodyOf(service: ServiceRead, path: string): Promise<unknown> {
  try {
    return (await service.get(path)).json;
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}
