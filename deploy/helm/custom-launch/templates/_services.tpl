{{/*
What each program is: its image, command, ports, and the files and settings that it reads. Fixed by the programs, so no value changes it.
`url`: the key of `databases` for DATABASE_URL. `blobs`, `buildResults`: write or read. `secrets`: variable of a file and key of `secrets`.
`documents`: variable of a file, key of `documents` and path in the ConfigMap; a path of `.` is the whole ConfigMap as a folder.
`versioned`: its workers host workflows, so that versions run beside each other. `queues`: task queues by which KEDA scales.
`temporal`: the family of work whose namespace it has.
`reaches`: keys of `networkPolicy` to which its egress is open.
*/}}
{{- define "launch.facts" -}}
api-gateway:
  image: api-gateway
  command: [node, apps/api-gateway/dist/main.js]
  port: 8080
  operations: OPERATIONS_PORT
  temporal: launches
  url: gateway
  blobs: write
  secrets: { RPC_4663_URLS_FILE: rpc4663Urls, RPC_1_URLS_FILE: rpc1Urls, CREDENTIAL_PEPPER_FILE: credentialPepper, CURSOR_KEY_FILE: cursorKey, ANSWER_SIGNING_KEY_FILE: answerSigningKey }
  documents:
    LAUNCH_CONTEXT_FILE: { name: launchContext, path: context.json }
    CUSTOM_LAUNCH_CONTEXT_FILE: { name: customLaunchContext, path: context.json }
    REVIEWED_ROUTERS_FILE: { name: reviewedRouters, path: reviewed-routers.json }
    ANSWER_OTHER_KEYS_FILE: { name: answerOtherKeys, path: others.json }
    ADMISSION_PUBLIC_KEY_FILE: { name: admissionPublicKey, path: admission-public-key.pem }
    FINALITY_PUBLIC_KEY_FILE: { name: finalityPublicKey, path: finality-public-key.pem }
  reaches: [temporal, postgres, observers]
site:
  image: site
  command: [node, apps/site/dist/server/index.js]
  port: 3000
  documents:
    TRUSTED_DEPLOYMENTS_FILE: { name: trustedDeployments, path: trusted-deployments.json }
  reaches: []
review-console:
  image: api-gateway
  command: [node, apps/api-gateway/dist/composition/review-console/main.js]
  port: 8081
  operations: OPERATIONS_PORT
  temporal: modules
  url: reviewConsole
  blobs: write
  buildResults: read
  secrets: { CREDENTIAL_PEPPER_FILE: credentialPepper, CURSOR_KEY_FILE: cursorKey }
  reaches: [temporal, postgres]
admission-worker:
  image: admission-worker
  command: [node, apps/admission-worker/dist/main.js]
  operations: METRICS_PORT
  temporal: launches
  versioned: true
  url: admission
  blobs: write
  scratch: { COMPILER_CACHE_DIR: /var/lib/launch/compiler-cache }
  secrets: { RPC_4663_URLS_FILE: rpc4663Urls, RPC_1_URLS_FILE: rpc1Urls, ADMISSION_SIGNING_KEY_FILE: admissionSigningKey }
  documents:
    CUSTOM_LAUNCH_CONTEXT_FILE: { name: customLaunchContext, path: context.json }
    PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: { name: previousCustomLaunchContexts, path: . }
  queues:
    launch-admission: workflow,activity
    launch-compilation: activity
    launch-long-compilation: activity
  reaches: [temporal, postgres, observers]
permit-custody:
  image: permit-custody
  command: [node, apps/permit-custody/dist/main.js]
  operations: METRICS_PORT
  temporal: custody
  url: custody
  blobs: read
  signer: true
  {{- if eq .Values.permitSigner.kind "file" }}
  # A regular file that only its user can read: an init container copies it from the Secret into memory.
  privateKeys: { PERMIT_KEY_FILE: permitKey }
  {{- else if eq .Values.permitSigner.kind "pkcs11" }}
  secrets: { PERMIT_PKCS11_PIN_FILE: permitPin }
  {{- end }}
  documents:
    LAUNCH_CONTEXT_FILE: { name: launchContext, path: context.json }
    CUSTOM_LAUNCH_CONTEXT_FILE: { name: customLaunchContext, path: context.json }
    PREVIOUS_CONTEXTS_DIR: { name: previousContexts, path: . }
    PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: { name: previousCustomLaunchContexts, path: . }
    ADMISSION_PUBLIC_KEY_FILE: { name: admissionPublicKey, path: admission-public-key.pem }
  reaches: [temporal, custodyPostgres, custodySigner]
finality-worker:
  image: finality-worker
  command: [node, apps/finality-worker/dist/main.js]
  operations: METRICS_PORT
  temporal: launches
  versioned: true
  url: finality
  blobs: write
  secrets: { RPC_4663_URLS_FILE: rpc4663Urls, RPC_1_URLS_FILE: rpc1Urls, FINALITY_SIGNING_KEY_FILE: finalitySigningKey }
  documents:
    LAUNCH_CONTEXT_FILE: { name: launchContext, path: context.json }
    CUSTOM_LAUNCH_CONTEXT_FILE: { name: customLaunchContext, path: context.json }
    FINALITY_PUBLIC_KEY_FILE: { name: finalityPublicKey, path: finality-public-key.pem }
  queues: { launch-finality: 'workflow,activity' }
  reaches: [temporal, postgres, observers]
indexer:
  image: indexer
  command: [node, apps/indexer/dist/main.js]
  operations: METRICS_PORT
  temporal: launches
  versioned: true
  url: indexer
  blobs: write
  secrets: { RPC_4663_URLS_FILE: rpc4663Urls, RPC_1_URLS_FILE: rpc1Urls }
  documents:
    INDEX_SOURCES_DIR: { name: indexSources, path: . }
  queues: { launch-indexer: 'workflow,activity' }
  reaches: [temporal, postgres, observers]
module-review:
  image: module-review
  command: [node, apps/module-review/dist/main.js]
  operations: METRICS_PORT
  temporal: modules
  versioned: true
  url: moduleReview
  blobs: write
  documents:
    REVIEWER_POLICY_FILE: { name: reviewerPolicy, path: reviewer-policy.json }
  queues: { launch-module-review: 'workflow,activity' }
  reaches: [temporal, postgres]
module-builder:
  image: module-builder
  command: [node, apps/module-builder/dist/main.js]
  operations: METRICS_PORT
  temporal: modules
  blobs: read
  buildResults: write
  secrets: { BUILD_SIGNING_KEY_FILE: buildSigningKey }
  documents:
    REVIEWER_POLICY_FILE: { name: reviewerPolicy, path: reviewer-policy.json }
  queues: { launch-module-build: activity }
  reaches: [temporal]
codec-server:
  image: codec-server
  command: [node, apps/codec-server/dist/main.js]
  port: 8082
  operations: METRICS_PORT
  codecKeys: true
  reaches: [oidc]
{{- end }}

{{/* The services with migrations: the folder of `prisma/`, and the key of `databases` of the owner. */}}
{{- define "launch.migrations" -}}
api-gateway: { url: gateway, reaches: postgres, service: api-gateway }
admission: { url: admission, reaches: postgres, service: admission-worker }
finality: { url: finality, reaches: postgres, service: finality-worker }
module-review: { url: moduleReview, reaches: postgres, service: module-review }
indexer: { url: indexer, reaches: postgres, service: indexer }
custody: { url: custodyOwner, reaches: custodyPostgres, service: permit-custody }
{{- end }}
