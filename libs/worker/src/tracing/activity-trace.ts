import { context, propagation, ROOT_CONTEXT, SpanKind, trace, type Context as TraceContext } from '@opentelemetry/api';
import { beginSpan, inSpan } from '@launch/platform';
import { TRACE_HEADER } from '@launch/temporal';
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor, InjectedSinks, WorkerOptions } from '@temporalio/worker';
import type { TraceSinks } from './workflow-trace.interceptors.js';

/** Returns the trace context of headers; null without one. */
function traceOf(headers: Headers): TraceContext | null {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return null;
  const parent = propagation.extract(ROOT_CONTEXT, defaultPayloadConverter.fromPayload(payload));
  return trace.getSpanContext(parent) === undefined ? null : parent;
}

/** Runs each activity of a traced workflow in a span. */
const traceActivities = ({ info }: Context): { inbound: ActivityInboundCallsInterceptor } => ({
  inbound: {
    execute(input, next) {
      const parent = traceOf(input.headers);
      if (parent === null) return next(input);
      const attributes = {
        'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
        'temporal.activity.attempt': info.attempt,
      };
      return context.with(parent, () =>
        inSpan(`RunActivity ${info.activityType}`, SpanKind.CONSUMER, attributes, () => next(input)),
      );
    },
  },
});

/** Marks the begin of each traced workflow. Its end may be days away, so the span has no duration. */
const SINKS: InjectedSinks<TraceSinks> = {
  trace: {
    begun: {
      fn({ workflowType, workflowId }, header) {
        const carrier: unknown = JSON.parse(Buffer.from(header).toString('utf8'));
        const parent = propagation.extract(ROOT_CONTEXT, carrier);
        const attributes = { 'temporal.workflow.id': workflowId };
        beginSpan(`RunWorkflow ${workflowType}`, SpanKind.CONSUMER, attributes, parent).end();
      },
      callDuringReplay: false,
    },
  },
};

/** The options of every worker. They do nothing in a process that does not trace. */
export const TRACING = {
  sinks: SINKS,
  interceptors: { activity: [traceActivities] },
} satisfies Pick<WorkerOptions, 'sinks' | 'interceptors'>;
