import {
  ACCEPTED_CONTEXT,
  COMMITMENTS,
  KNOWN_POLICY,
  KNOWN_POLICY_CUSTODY,
  KNOWN_POLICY_OFFLINE,
} from './groups/context.groups.js';
import { DEPLOYED_RUNTIMES, EXTERNALS, MATERIALIZATION } from './groups/deployment.groups.js';
import { ECONOMIC_BINDINGS, ECONOMICS } from './groups/economics.groups.js';
import { FUNDING, INTENT, PERMIT_EXPIRY, PERMIT_WINDOW } from './groups/form.groups.js';
import { GRAPH, HOOK_PERMISSIONS } from './groups/graph.groups.js';
import { IMAGE, IMAGE_IN_MANIFEST, IMAGE_OFFLINE } from './groups/image.groups.js';
import { DECLARED_RUNTIMES, SOURCE } from './groups/source.groups.js';
import { stage } from './judge.js';

/*
 * The rules for a request of the family `multi-role.v2`, by place and in order. Each stage is a separate constant, so
 * that a single-file client contains only the rules that it applies.
 */

/** Gateway, from the bytes alone. */
export const MULTI_ROLE_FORM = /* @__PURE__ */ stage('form', [COMMITMENTS, INTENT, IMAGE, FUNDING]);

/** Gateway, by its context and the clocks; reported together with the form. */
export const MULTI_ROLE_ARRIVAL = /* @__PURE__ */ stage('arrival', [ACCEPTED_CONTEXT, PERMIT_WINDOW]);

/** Admission, before it compiles. */
export const MULTI_ROLE_SCAN = /* @__PURE__ */ stage('scan', [KNOWN_POLICY, DECLARED_RUNTIMES]);
export const MULTI_ROLE_SOURCE = /* @__PURE__ */ stage('source', [SOURCE]);

/**
 * Admission, after the code matched: the request, then the chain's external contracts, then the code that really
 * deploys.
 */
export const MULTI_ROLE_GRAPH = /* @__PURE__ */ stage('graph', [GRAPH, FUNDING, HOOK_PERMISSIONS, PERMIT_EXPIRY]);
export const MULTI_ROLE_EXTERNALS = /* @__PURE__ */ stage('externals', [EXTERNALS]);
export const MULTI_ROLE_DEPLOYMENT = /* @__PURE__ */ stage('deployment', [MATERIALIZATION, DEPLOYED_RUNTIMES]);
export const MULTI_ROLE_ECONOMICS = /* @__PURE__ */ stage('economics', [ECONOMICS]);

/**
 * Custody, independently. Under another context it reports nothing else: that context's router, limits and policy are
 * not custody's to judge.
 */
export const MULTI_ROLE_CUSTODY = /* @__PURE__ */ stage(
  'custody',
  [ACCEPTED_CONTEXT],
  [COMMITMENTS, INTENT, PERMIT_WINDOW, FUNDING, SOURCE, GRAPH, KNOWN_POLICY_CUSTODY, DECLARED_RUNTIMES, ECONOMICS],
);

/** The packer, for the request that it built from a configuration. */
export const MULTI_ROLE_PACKING = /* @__PURE__ */ stage('packing', [
  COMMITMENTS,
  SOURCE,
  GRAPH,
  FUNDING,
  IMAGE_IN_MANIFEST,
  INTENT,
]);

/** `launch-verify`: every check that a packed request's own bytes decide. */
export const MULTI_ROLE_OFFLINE = /* @__PURE__ */ stage('offline', [
  COMMITMENTS,
  SOURCE,
  GRAPH,
  FUNDING,
  INTENT,
  IMAGE_OFFLINE,
  KNOWN_POLICY_OFFLINE,
  DECLARED_RUNTIMES,
  ECONOMIC_BINDINGS,
]);
