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
    summary: 'What custom launches may be, four facts apart',
    schema: launchCoverageSchema,
  },
  'launch-guide': {
    id: 'getLaunchGuide',
    summary: 'The way of a custom launch, its scenarios, and what to do about errors',
    schema: launchGuideSchema,
  },
  capabilities: {
    id: 'getLaunchCapabilities',
    summary: 'Features of custom launches by scenario',
    schema: launchCapabilitiesSchema,
  },
  readiness: {
    id: 'getLaunchReadiness',
    summary: 'Whether new custom launches are taken: gates, profile, checkpoint',
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
        'Information only: it authorizes no request, whatever it says. An Authorization header is not read. 404 where the deployment does not provide it.',
      entityTag: 'SHA-256 of the bytes.',
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
