/** The workflow that called a Nexus operation. */
export interface OperationCaller {
  readonly namespace: string;
  readonly workflowId: string;
}

interface Link {
  readonly url: URL;
}

const WORKFLOW = /^\/namespaces\/(?<namespace>[^/]+)\/workflows\/(?<workflowId>[^/]+)\//;

/**
 * Returns the caller that the server names in the link of a call; null without exactly one link to a workflow. The
 * server has to refuse calls that bring a link of their own: `component.nexusoperations.disallowedHeaders`.
 */
export function callerOf(links: readonly Link[]): OperationCaller | null {
  const [link, ...others] = links;
  if (link === undefined || others.length > 0 || link.url.protocol !== 'temporal:') return null;
  const { namespace, workflowId } = WORKFLOW.exec(link.url.pathname)?.groups ?? {};
  if (namespace === undefined || workflowId === undefined) return null;
  try {
    return { namespace: decodeURIComponent(namespace), workflowId: decodeURIComponent(workflowId) };
  } catch {
    return null;
  }
}
