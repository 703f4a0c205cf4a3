import { Inject, Injectable } from '@nestjs/common';
import type { AnyFinalityStatus } from '@launch/contracts';
import type { Caller } from '../credentials/caller.js';
import { ApiError } from '../http/api.error.js';
import { finalityOf } from '../launches/launch.resource.js';
import { ReadLaunchService } from '../launches/read-launch.service.js';
import { CLOCK, type Clock } from '../tokens.js';

/** The protected finality projection; `pending` until something was observed (spec 2, States). */
@Injectable()
export class FinalityService {
  constructor(
    private readonly launches: ReadLaunchService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `NOT_FOUND` when no accessible record exists: a launch has a projection of its own generation alone. */
  async read(caller: Caller, id: string, generation: 'v2' | 'v3'): Promise<AnyFinalityStatus> {
    const launch = await this.launches.find(caller, id);
    if (launch.generation !== generation) throw new ApiError('NOT_FOUND');
    return finalityOf(launch, this.clock.now());
  }
}
