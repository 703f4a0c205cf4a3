import { Controller, Res, type Type } from '@nestjs/common';
import {
  launchCapabilitiesSchema,
  launchCoverageSchema,
  launchGuideSchema,
  launchReadinessSchema,
  launchReportPath,
  type StateReport,
} from '@launch/contracts/reports';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Route } from '../../../core/routes/api.route.js';
import { reportExample } from './launch-reports.example.js';
import { LaunchReportsService } from '../domain/launch-reports.service.js';

interface DescribedReport {
  readonly id: string;
  readonly summary: string;
  readonly schema: z.ZodType;
}

const REPORTS: Readonly<Record<StateReport, DescribedReport>> = {
  'launch-coverage': {
    id: 'getLaunchCoverage',
    summary: 'Retrieve the coverage of custom launches',
    schema: launchCoverageSchema,
  },
  'launch-guide': {
    id: 'getLaunchGuide',
    summary: 'Retrieve the workflow of a custom launch, its scenarios and its errors',
    schema: launchGuideSchema,
  },
  capabilities: {
    id: 'getLaunchCapabilities',
    summary: 'Retrieve the features of custom launches by scenario',
    schema: launchCapabilitiesSchema,
  },
  readiness: {
    id: 'getLaunchReadiness',
    summary: 'Retrieve the readiness of custom launches: gates, profile and checkpoint',
    schema: launchReadinessSchema,
  },
};

/** The route of one report. */
export function reportController(report: StateReport): Type {
  const { id, summary, schema } = REPORTS[report];
  @Controller()
  class ReportController {
    constructor(readonly service: LaunchReportsService) {}

    @Route({
      method: 'get',
      path: launchReportPath(report),
      id,
      tag: 'Discovery',
      scopes: null,
      quota: 'public',
      takesNoBody: true,
      summary,
      description:
        'For information only: the report does not authorize any request. The route ignores an Authorization header. Returns 404 if the deployment does not provide the report.',
      entityTag: 'SHA-256 digest of the response body.',
      answers: { 200: { description: 'The report.', schema, example: reportExample(report) } },
      errors: ['NOT_FOUND'],
    })
    async read(@Res() reply: FastifyReply): Promise<void> {
      const written = await this.service.read(report);
      sendCacheable(reply, {
        etag: written.contentSha256,
        cacheControl: 'public, no-cache',
        body: written.bytes,
      });
    }
  }
  return ReportController;
}
