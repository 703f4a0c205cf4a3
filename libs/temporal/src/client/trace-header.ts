import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';

/** Name of the header that carries the trace context: the one that the SDK's OpenTelemetry packages use. */
export const TRACE_HEADER = '_tracer-data';

/** Adds the active trace context to headers; returns them unchanged in a process that does not trace. */
function withTrace(headers: Headers): Headers {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] === undefined
    ? headers
    : { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier) };
}

async function inSpan<T>(name: string, workflowId: string | undefined, work: () => Promise<T>): Promise<T> {
  if (trace.getSpan(context.active()) === undefined) return work();
  const attributes = workflowId === undefined ? {} : { 'temporal.workflow.id': workflowId };
  const span = trace.getTracer('custom-launch').startSpan(name, { kind: SpanKind.PRODUCER, attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Traces the starts of workflows, and passes the trace on to them. */
export const traceStarts: WorkflowClientInterceptor = {
  start: (input, next) =>
    inSpan(`StartWorkflow ${input.workflowType}`, input.options.workflowId, () =>
      next({ ...input, headers: withTrace(input.headers) }),
    ),
  signalWithStart: (input, next) =>
    inSpan(`StartWorkflow ${input.workflowType}`, input.options.workflowId, () =>
      next({ ...input, headers: withTrace(input.headers) }),
    ),
};
