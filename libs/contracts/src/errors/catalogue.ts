/**
 * Every error code of the API. HTTP status, layer, retryability and remediation are properties of the code, so no
 * handler chooses them.
 */
export const LAYERS = [
  'transport',
  'auth',
  'request',
  'source',
  'graph',
  'economics',
  'funding',
  'permit',
  'simulation',
  'platform',
] as const;
export type Layer = (typeof LAYERS)[number];

export const REMEDIATION_ACTIONS = [
  'correct_and_resubmit',
  'retry_same_bytes',
  'wait',
  'await_platform_coverage',
  'inspect_existing',
  'contact_support',
] as const;
export type RemediationAction = (typeof REMEDIATION_ACTIONS)[number];

export interface CatalogueEntry {
  readonly status: number;
  readonly layer: Layer;
  readonly retryable: boolean;
  readonly action: RemediationAction;
  readonly message: string;
}

const entry = (
  status: number,
  layer: Layer,
  message: string,
  action: RemediationAction = 'correct_and_resubmit',
  retryable = false,
): CatalogueEntry => ({ status, layer, retryable, action, message });

export const ERROR_CATALOGUE = {
  // transport
  UNAUTHENTICATED: entry(401, 'auth', 'A valid API key is required: Authorization: Bearer <API_KEY>.'),
  INSUFFICIENT_SCOPE: entry(403, 'auth', 'The API key lacks a scope this route needs.'),
  CHAIN_NOT_ALLOWED: entry(403, 'auth', 'The API key has no grant for chain 4663.'),
  WALLET_BINDING_MISMATCH: entry(403, 'auth', 'The API key is not bound to launchWallet.'),
  SIGN_IN_MESSAGE_INVALID: entry(422, 'auth', 'The message is not a sign-in message (EIP-4361) of this service.'),
  SIGN_IN_NONCE_INVALID: entry(
    401,
    'auth',
    'This service did not issue the nonce, or the nonce was used or has expired; request another one.',
  ),
  SIGN_IN_SIGNATURE_INVALID: entry(401, 'auth', 'The signature does not belong to the message and its address.'),
  SIGN_IN_REVOKED: entry(
    403,
    'auth',
    'The operator revoked the key of this wallet; ask the operator.',
    'contact_support',
  ),
  NOT_FOUND: entry(404, 'transport', 'No such resource is accessible with this request.', 'inspect_existing'),
  METHOD_NOT_ALLOWED: entry(405, 'transport', 'The route does not accept this method; see Allow.'),
  REQUEST_TOO_LARGE: entry(413, 'transport', 'The body is larger than this route accepts.'),
  TARGET_TOO_LONG: entry(414, 'transport', 'The request target is longer than this service accepts.'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'transport', 'Send application/json in UTF-8 without a content encoding.'),
  REQUEST_TIMEOUT: entry(408, 'transport', 'The body did not arrive in time.', 'retry_same_bytes', true),
  RATE_LIMITED: entry(429, 'transport', 'Too many requests; wait for the time in Retry-After.', 'wait', true),
  CHAIN_NOT_SUPPORTED: entry(422, 'transport', 'This service launches on chain 4663 only.'),
  RESPONSE_VERSION_UNKNOWN: entry(
    422,
    'transport',
    'Service-Launch-Response-Version names no supported response version.',
  ),
  QUERY_NOT_ALLOWED: entry(400, 'transport', 'This route takes no query parameters.'),
  BODY_NOT_ALLOWED: entry(400, 'transport', 'This route takes no body.'),
  QUERY_INVALID: entry(400, 'transport', 'A query parameter is unknown, repeated or out of range.'),
  CURSOR_INVALID: entry(400, 'transport', 'The cursor was not issued for this list; start without one.'),
  HEADER_INVALID: entry(400, 'transport', 'A request header is malformed.'),
  IDEMPOTENCY_KEY_REQUIRED: entry(400, 'transport', 'Idempotency-Key is required on create.'),
  IDEMPOTENCY_KEY_INVALID: entry(
    400,
    'transport',
    'Idempotency-Key must be 16-128 ASCII letters, digits, ".", "_", ":", "-".',
  ),
  IDEMPOTENCY_CONFLICT: entry(409, 'request', 'This idempotency key is bound to other bytes.', 'inspect_existing'),
  // bytes and schema
  JSON_EMPTY: entry(400, 'request', 'The body is empty.'),
  JSON_SYNTAX: entry(400, 'request', 'The body is not valid JSON.'),
  JSON_INVALID_UTF8: entry(400, 'request', 'The body is not valid UTF-8.'),
  JSON_DUPLICATE_KEY: entry(400, 'request', 'An object repeats a key.'),
  JSON_DEPTH_EXCEEDED: entry(400, 'request', 'The body is nested too deeply.'),
  JSON_VALUES_EXCEEDED: entry(400, 'request', 'The body has more than 262,144 values.'),
  JSON_TRAILING_DATA: entry(400, 'request', 'Bytes follow the JSON value.'),
  JSON_NUMBER_RANGE: entry(400, 'request', 'A number is outside the range of a double.'),
  JSON_NOT_CANONICAL: entry(400, 'request', 'The body is not RFC 8785 canonical JSON.'),
  SCHEMA_INVALID: entry(422, 'request', 'A field does not have its required form.'),
  SCHEMA_UNKNOWN_FIELD: entry(422, 'request', 'The object is closed and does not allow this field.'),
  // request meaning
  CONTEXT_NOT_CURRENT: entry(
    422,
    'request',
    'The context is not the one this deployment publishes; fetch capabilities again.',
  ),
  CONTEXT_COMMITMENT_MISMATCH: entry(422, 'request', 'A context commitment is not the hash of the context it names.'),
  CONTEXT_UNAVAILABLE: entry(503, 'platform', 'This deployment has no ready context; see capabilities.', 'wait', true),
  LAUNCH_INTENT_HASH_MISMATCH: entry(422, 'request', 'launchIntentHash is not the hash of this request.'),
  BEHAVIOR_INPUTS_HASH_MISMATCH: entry(
    422,
    'request',
    'behaviorScenarioInputsHash is not the hash of behaviorScenarioInputs.',
  ),
  IMAGE_INVALID: entry(422, 'request', 'The image bytes are not an admissible PNG or GIF.'),
  IMAGE_MISMATCH: entry(422, 'request', 'The image does not match its declared metadata.'),
  NONCE_IN_USE: entry(409, 'permit', 'The controller already used or reserved this nonce.'),
  CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID: entry(422, 'permit', 'The permit window is outside its limits.'),
  FUNDING_TOTAL_MISMATCH: entry(422, 'funding', 'totalValueWei is not the sum of its parts.'),
  FUNDING_INVALID: entry(422, 'funding', 'The funding plan contradicts itself.'),
  // source
  SOURCE_BUNDLE_HASH_MISMATCH: entry(422, 'source', 'A source digest does not match its bytes.'),
  SOURCE_MANIFEST_MISMATCH: entry(422, 'source', 'The manifest does not list exactly the submitted sources.'),
  COMPILER_INPUT_INVALID: entry(422, 'source', 'The Standard JSON input uses a feature that is not accepted.'),
  COMPILER_VERSION_UNSUPPORTED: entry(422, 'source', 'The context does not publish this compiler version.'),
  COMPILER_ERROR: entry(422, 'source', 'The sources do not compile.'),
  COMPILER_LIMIT_EXCEEDED: entry(422, 'source', 'Compiling exceeded 60 seconds or 512 MiB.'),
  COMPILE_BUDGET_EXCEEDED: entry(
    422,
    'source',
    'Compiling all units takes more processor time than a request may use.',
  ),
  COMPILER_TARGET_MISSING: entry(422, 'source', 'The compiled output has no such contract.'),
  CREATION_BYTECODE_MISMATCH: entry(422, 'source', 'The sources compile to other creation bytecode.'),
  CONSTRUCTOR_ARGUMENTS_MISMATCH: entry(422, 'source', 'The constructor arguments are not the declared ones.'),
  RUNTIME_BYTECODE_MISMATCH: entry(422, 'source', 'The sources compile to other runtime bytecode.'),
  LIBRARY_UNLINKED: entry(422, 'source', 'A library reference has no declared address.'),
  // opcodes
  MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN: entry(422, 'source', 'The runtime contains a forbidden instruction.'),
  MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED: entry(422, 'source', 'The runtime begins with an unsupported bytecode mode.'),
  RUNTIME_EMPTY: entry(422, 'source', 'The runtime is empty.'),
  // graph
  GRAPH_INVALID: entry(422, 'graph', 'The contract graph contradicts itself.'),
  GRAPH_ROLES_INVALID: entry(
    422,
    'graph',
    'The graph must have exactly one token, one hook and at most one initializer.',
  ),
  GRAPH_SALT_CONTROLLER_MISMATCH: entry(422, 'graph', 'The first 20 bytes of a salt must be the controller.'),
  GRAPH_ADDRESS_MISMATCH: entry(422, 'graph', 'A predicted address is not the CREATE2 address of its component.'),
  GRAPH_RUNTIME_HASH_MISMATCH: entry(422, 'graph', 'A runtime hash is not the hash of its declared runtime.'),
  GRAPH_RUNTIME_NOT_MATERIALIZED: entry(
    422,
    'graph',
    'Executing the creation code does not return the declared runtime.',
  ),
  GRAPH_CHILD_INVALID: entry(422, 'graph', 'A child is not created by the component that declares it.'),
  GRAPH_EXTERNAL_INVALID: entry(422, 'graph', 'An external contract has other code than declared.'),
  GRAPH_HOOK_PERMISSIONS_INVALID: entry(
    422,
    'graph',
    'The hook address does not carry exactly the permissions the hook implements.',
  ),
  GRAPH_POOL_INVALID: entry(422, 'graph', 'The official pool does not belong to this graph.'),
  GRAPH_CALLDATA_TOO_LARGE: entry(422, 'graph', 'The launch transaction is larger than the chain accepts.'),
  GRAPH_ADDRESS_OCCUPIED: entry(422, 'graph', 'A predicted address already has code.'),
  // economics
  MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED: entry(
    422,
    'economics',
    'The platform does not recognise these economics yet.',
    'await_platform_coverage',
  ),
  MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION: entry(
    422,
    'economics',
    'Role, source, runtime, economics or funding bindings need correction.',
  ),
  MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION: entry(
    422,
    'economics',
    'The declared economics differ from those the bytecode carries.',
  ),
  // outcome
  MULTI_ROLE_EVIDENCE_REQUIRED: entry(
    422,
    'source',
    'The source assessment holds findings; submit a deliberate new request.',
  ),
  MULTI_ROLE_ADMISSION_PENDING: entry(
    503,
    'platform',
    'Admission is still running; repeat the same bytes and key, or follow statusUrl.',
    'retry_same_bytes',
    true,
  ),
  PREFLIGHT_PENDING: entry(
    503,
    'platform',
    'The source evaluation did not finish in time; nothing was reserved.',
    'retry_same_bytes',
    true,
  ),
  PERMIT_EXPIRED: entry(409, 'permit', 'The permit window has passed; submit a deliberate new request.'),
  PERMIT_REFUSED: entry(422, 'permit', 'Permit custody refused this launch.'),
  SIMULATION_REVERTED: entry(422, 'simulation', 'The exact transaction reverts on the provider.'),
  SIMULATION_INDETERMINATE: entry(
    422,
    'simulation',
    'The simulation had no result while enough of the permit window was left.',
  ),
  LAUNCH_REVERTED: entry(422, 'simulation', 'The launch transaction was finalized as reverted.'),
  HINT_NOT_READY: entry(422, 'request', 'This launch has no wallet transaction yet, so it accepts no hints.'),
  HINT_LIMIT_REACHED: entry(422, 'request', 'This launch already has 16 distinct transaction hints.'),
  HINT_VERSION_MISMATCH: entry(422, 'request', 'This launch belongs to another finality generation.'),
  STORAGE_LOW: entry(
    503,
    'platform',
    'The service has no storage for new requests now. Reads and exact replays continue; repeat the same bytes later.',
    'retry_same_bytes',
    true,
  ),
  SERVICE_UNAVAILABLE: entry(503, 'platform', 'A dependency of the service does not answer.', 'wait', true),
  INTERNAL: entry(500, 'platform', 'The service failed; quote the request id.', 'contact_support', true),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];
export const catalogueEntry = (code: ErrorCode): CatalogueEntry => ERROR_CATALOGUE[code];
