import {
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { Headers } from '@temporalio/common';

// Runs in the workflow sandbox. It passes one header on and creates no command, so that histories replay with and
// without it; it imports no OpenTelemetry, whose modules the sandbox would evaluate for each workflow.

const TRACE_HEADER = '_tracer-data';

/** Receives the header of a workflow that began; not called during a replay. */
export interface TraceSinks extends Sinks {
  trace: { begun(header: Uint8Array): void };
}

/** Passes the trace of a workflow's start on to its activities, its children and its next run. */
class TraceHeader implements WorkflowInboundCallsInterceptor, WorkflowOutboundCallsInterceptor {
  private header: Headers[string] | undefined;

  execute: WorkflowInboundCallsInterceptor['execute'] = (input, next) => {
    this.header = input.headers[TRACE_HEADER];
    const data = this.header?.data;
    // A continued run is part of the workflow that began before.
    if (data && workflowInfo().continuedFromExecutionRunId === undefined) proxySinks<TraceSinks>().trace.begun(data);
    return next(input);
  };

  scheduleActivity: WorkflowOutboundCallsInterceptor['scheduleActivity'] = (input, next) => next(this.with(input));
  scheduleLocalActivity: WorkflowOutboundCallsInterceptor['scheduleLocalActivity'] = (input, next) =>
    next(this.with(input));
  startChildWorkflowExecution: WorkflowOutboundCallsInterceptor['startChildWorkflowExecution'] = (input, next) =>
    next(this.with(input));
  continueAsNew: WorkflowOutboundCallsInterceptor['continueAsNew'] = (input, next) => next(this.with(input));

  private with<Input extends { readonly headers: Headers }>(input: Input): Input {
    return this.header === undefined ? input : { ...input, headers: { ...input.headers, [TRACE_HEADER]: this.header } };
  }
}

export function interceptors(): WorkflowInterceptors {
  const header = new TraceHeader();
  return { inbound: [header], outbound: [header] };
}
