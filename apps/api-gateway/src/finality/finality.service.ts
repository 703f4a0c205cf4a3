import { Injectable } from '@nestjs/common';
import type { FinalityStatus } from '@launch/contracts';
import type { Caller } from '../credentials/caller.js';
import { pendingFinality } from '../launches/launch.resource.js';
import { ReadLaunchService } from '../launches/read-launch.service.js';

/** The protected finality projection; `pending` until something was observed (spec 2, States). */
@Injectable()
export class FinalityService {
  constructor(private readonly launches: ReadLaunchService) {}

  /** @throws ApiError `NOT_FOUND` when no accessible record exists. */
  async read(caller: Caller, id: string): Promise<FinalityStatus> {
    const launch = await this.launches.find(caller, id);
    return launch.finality ?? pendingFinality(launch.launchId);
  }
}
