import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { CustomRequestsModule } from './custom-requests.module.js';
import { LaunchesV4Controller } from './launches-v4.controller.js';
import { ReadV4LaunchService } from './read-v4-launch.service.js';
import { V4Creation } from './v4.creation.js';
import { V4PreflightController } from './v4-preflight.controller.js';

@Module({
  imports: [HttpModule, CustomRequestsModule, LaunchGatesModule],
  controllers: [LaunchesV4Controller, V4PreflightController],
  providers: [V4Creation, ReadV4LaunchService],
})
export class LaunchesV4Module {}
