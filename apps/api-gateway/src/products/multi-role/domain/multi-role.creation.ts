import { Inject, Injectable } from '@nestjs/common';
import { type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError, refusalOf } from '@launch/http';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { nonceFinding } from '../../../core/launches/arrival.js';
import { newLaunchOf } from '../../../core/launches/new-launch.js';
import type { Admitted, LaunchCreation } from '../../../core/launches/launch-creation.js';
import type { KeyRecord } from '../../../core/launches/launch.repository.js';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { CLOCK, SITE_URL, type Clock } from '../../../platform/tokens.js';
import { RequestJudge, routerOf, type JudgedRequest } from './request-judge.js';
import { replayAnswer } from './launch.replay.js';
import { launchResource } from './launch.resource.js';
import { decodeLaunch } from '../data/launch.row.js';

/** Serves `POST /` of the multi-role routes (docs/reference/multi-role.md#create-and-replay). */
@Injectable()
export class MultiRoleCreation implements LaunchCreation<JudgedRequest, LaunchResource> {
  readonly family = 'multi-role.v2';
  readonly route = `POST ${MULTI_ROLE_BASE_PATH}`;

  constructor(
    private readonly requests: RequestJudge,
    @Inject(SITE_URL) private readonly siteUrl: string | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<JudgedRequest> {
    return this.requests.judge(body, digest, caller);
  }

  admit(judged: JudgedRequest): Admitted {
    const { form, bytes, digest, against } = judged;
    if (judged.findings.length > 0) throw refusalOf(judged.findings);
    if (judged.nonceInUse) throw this.nonceTaken(judged);
    if (form.image === null || against === null) throw new TypeError('an admitted request has an image and a context');
    const { commitments, canonicalText } = against;
    const published = { router: routerOf(against), contextHash: commitments.contextHash, text: canonicalText };
    return { bytes, image: form.image, launch: newLaunchOf({ form, digest, against: published }, form.image, null) };
  }

  nonceTaken({ form }: JudgedRequest): ApiError {
    return new ApiError('NONCE_IN_USE', { findings: [nonceFinding(form)] });
  }

  replay({ bodySha256, launch: stored }: KeyRecord, digest: Sha256Digest, caller: Caller): LaunchResource {
    return replayAnswer({ bodySha256, launch: decodeLaunch(stored) }, digest, this.resource(stored, caller));
  }

  resource(launch: StoredLaunch, caller: Caller): LaunchResource {
    const { siteUrl } = this;
    return launchResource(decodeLaunch(launch), { caller, nowMs: this.clock.now(), siteUrl });
  }
}
