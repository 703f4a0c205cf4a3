import {
  CHECKPOINT,
  CONTROLLER,
  CUSTOM_LAUNCH_FUNDING,
  FUNDED_PROFILE,
  MODULES,
  PROFILE,
  USD_REFERENCE,
  VALUE_BUDGET,
} from './groups/custom-launch-form.groups.js';
import {
  CALLDATA,
  CUSTOM_LAUNCH_CONTRACTS,
  CUSTOM_LAUNCH_POOL,
  POOL_KIND,
} from './groups/custom-launch-graph.groups.js';
import { forCustomLaunch } from './groups/custom-launch.group.js';
import { COMPILATION } from './groups/compilation.group.js';
import { ACCEPTED_CONTEXT, KNOWN_POLICY, KNOWN_POLICY_CUSTODY, KNOWN_POLICY_OFFLINE } from './groups/context.groups.js';
import { DEPLOYED_CODE, DEPLOYED_RUNTIMES, EXECUTION, EXTERNALS } from './groups/deployment.groups.js';
import { ECONOMIC_BINDINGS, ECONOMIC_COVERAGE, ECONOMICS } from './groups/economics.groups.js';
import { PERMIT_EXPIRY, PERMIT_WINDOW } from './groups/form.groups.js';
import { HOOK_PERMISSIONS } from './groups/graph.groups.js';
import { IMAGE } from './groups/image.groups.js';
import { DECLARED_RUNTIMES, SOURCE } from './groups/source.groups.js';
import { stage } from './judge.js';

/*
 * The rules for requests of the families `custom-launch.v4` and `plan.v1`, by place and in order. The groups are those
 * of `multi-role.v2` with the codes and paths of these families, plus the additions of profile 4.1.
 */

const CONTEXT = /* @__PURE__ */ forCustomLaunch(ACCEPTED_CONTEXT);
const WINDOW = /* @__PURE__ */ forCustomLaunch(PERMIT_WINDOW);
const IMAGE_ADMITTED = /* @__PURE__ */ forCustomLaunch(IMAGE);
const SOURCE_BOUND = /* @__PURE__ */ forCustomLaunch(SOURCE);
const SCANNED = /* @__PURE__ */ forCustomLaunch(DECLARED_RUNTIMES);
const POLICY = /* @__PURE__ */ forCustomLaunch(KNOWN_POLICY);
const COMPILED = /* @__PURE__ */ forCustomLaunch(COMPILATION);
const PERMISSIONS = /* @__PURE__ */ forCustomLaunch(HOOK_PERMISSIONS, ['compilation']);
const EXTERNAL_CODE = /* @__PURE__ */ forCustomLaunch(EXTERNALS);
const MATERIALIZED = /* @__PURE__ */ forCustomLaunch(EXECUTION);
const DEPLOYED = /* @__PURE__ */ forCustomLaunch(DEPLOYED_CODE);
const SCANNED_AGAIN = /* @__PURE__ */ forCustomLaunch(DEPLOYED_RUNTIMES, ['known-policy', 'materialization']);
const COVERAGE = /* @__PURE__ */ forCustomLaunch(ECONOMIC_COVERAGE);
const BINDINGS = /* @__PURE__ */ forCustomLaunch(ECONOMIC_BINDINGS, ['economic-coverage']);

/**
 * Gateway at create, from the bytes alone and before the key is bound; includes faults of form that put a request
 * outside the profile.
 */
export const CUSTOM_LAUNCH_FORM = /* @__PURE__ */ stage('form', [
  IMAGE_ADMITTED,
  CUSTOM_LAUNCH_FUNDING,
  VALUE_BUDGET,
  POOL_KIND,
  FUNDED_PROFILE,
  MODULES,
]);

/** Gateway, for the key of the request. */
export const CUSTOM_LAUNCH_KEY = /* @__PURE__ */ stage('key', [CONTROLLER]);

/** Gateway at create, by its context, the clocks and the chain; reported together with the form. */
export const CUSTOM_LAUNCH_ARRIVAL = /* @__PURE__ */ stage('arrival', [CONTEXT, PROFILE, WINDOW, CHECKPOINT]);

/** Admission, step by step as for a multi-role request. */
export const CUSTOM_LAUNCH_SCAN = /* @__PURE__ */ stage('scan', [POLICY, SCANNED]);
export const CUSTOM_LAUNCH_SOURCE = /* @__PURE__ */ stage('source', [SOURCE_BOUND]);
export const CUSTOM_LAUNCH_GRAPH = /* @__PURE__ */ stage('graph', [
  CUSTOM_LAUNCH_CONTRACTS,
  CUSTOM_LAUNCH_POOL,
  CUSTOM_LAUNCH_FUNDING,
  CALLDATA,
  PERMISSIONS,
  forCustomLaunch(PERMIT_EXPIRY),
]);
export const CUSTOM_LAUNCH_EXTERNALS = /* @__PURE__ */ stage('externals', [EXTERNAL_CODE]);
export const CUSTOM_LAUNCH_DEPLOYMENT = /* @__PURE__ */ stage('deployment', [MATERIALIZED, DEPLOYED, SCANNED_AGAIN]);
export const CUSTOM_LAUNCH_ECONOMICS = /* @__PURE__ */ stage('economics', [forCustomLaunch(ECONOMICS)]);

/** Admission at authorization, and custody again, each with its own reading of the price. */
export const CUSTOM_LAUNCH_USD = /* @__PURE__ */ stage('usd', [USD_REFERENCE]);

/** Custody, independently. */
export const CUSTOM_LAUNCH_CUSTODY = /* @__PURE__ */ stage(
  'custody',
  [CONTEXT, PROFILE],
  [
    WINDOW,
    CUSTOM_LAUNCH_FUNDING,
    VALUE_BUDGET,
    POOL_KIND,
    FUNDED_PROFILE,
    MODULES,
    SOURCE_BOUND,
    CUSTOM_LAUNCH_CONTRACTS,
    CUSTOM_LAUNCH_POOL,
    CALLDATA,
    forCustomLaunch(KNOWN_POLICY_CUSTODY),
    SCANNED,
    USD_REFERENCE,
    forCustomLaunch(ECONOMICS),
  ],
);

/** Groups that the request alone decides. */
const DECLARED = [IMAGE_ADMITTED, CUSTOM_LAUNCH_FUNDING, VALUE_BUDGET, FUNDED_PROFILE, MODULES] as const;
/** Groups that need the compiler or the code on chain, and groups that depend on them. */
const BUILT = [
  SOURCE_BOUND,
  COMPILED,
  CUSTOM_LAUNCH_CONTRACTS,
  CUSTOM_LAUNCH_POOL,
  POOL_KIND,
  CALLDATA,
  PERMISSIONS,
  EXTERNAL_CODE,
  MATERIALIZED,
  DEPLOYED,
  POLICY,
  SCANNED,
  SCANNED_AGAIN,
  COVERAGE,
  BINDINGS,
] as const;

const PREFLIGHT = [CONTEXT, PROFILE, WINDOW, CHECKPOINT, ...DECLARED, USD_REFERENCE, ...BUILT] as const;

/**
 * Admission's part of a preflight for both families: the groups that the gateway, which has the clocks, the price and
 * the key, cannot judge itself.
 */
export const CUSTOM_LAUNCH_EVALUATION = /* @__PURE__ */ stage('admission-preflight', [PROFILE, ...DECLARED, ...BUILT]);

/**
 * Preflight of both families: every check that needs no rehearsal, at once. The gateway and admission each judge a
 * part; the findings have this order.
 */
export const CUSTOM_LAUNCH_PREFLIGHT = /* @__PURE__ */ stage('preflight', [CONTROLLER, ...PREFLIGHT]);

/** The launch CLI: every check that a packed body's own bytes decide. */
export const CUSTOM_LAUNCH_OFFLINE = /* @__PURE__ */ stage('offline', [
  PROFILE,
  IMAGE_ADMITTED,
  CUSTOM_LAUNCH_FUNDING,
  VALUE_BUDGET,
  FUNDED_PROFILE,
  MODULES,
  SOURCE_BOUND,
  CUSTOM_LAUNCH_CONTRACTS,
  CUSTOM_LAUNCH_POOL,
  POOL_KIND,
  CALLDATA,
  forCustomLaunch(KNOWN_POLICY_OFFLINE),
  SCANNED,
  COVERAGE,
  BINDINGS,
]);
