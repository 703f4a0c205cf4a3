{{- define "launch.version" -}}
{{- .Values.release.version | default .Chart.AppVersion -}}
{{- end }}

{{/* The version of a service: that of the release, or the one at which `release.gateway` holds gateway and console. Takes { root, service }. */}}
{{- define "launch.serviceVersion" -}}
{{- if and (has .service (list "api-gateway" "review-console")) .root.Values.release.gateway.version -}}
{{- .root.Values.release.gateway.version -}}
{{- else -}}
{{- include "launch.version" .root -}}
{{- end -}}
{{- end }}

{{/* The image of a program at a version: `digests` pin images of the release's version alone. Takes { root, image, version }. */}}
{{- define "launch.image" -}}
{{- $digest := index .root.Values.image.digests .image -}}
{{- printf "%s/%s:%s" .root.Values.image.registry .image .version -}}
{{- if and $digest (eq .version (include "launch.version" .root)) }}@{{ $digest }}{{ end -}}
{{- end }}

{{- define "launch.name" -}}
{{- printf "%s-%s" .root.Release.Name .service | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{/* A version as the end of a name: versions may contain capitals, dots and plus signs. */}}
{{- define "launch.suffix" -}}
{{- printf "%s-%s" (regexReplaceAll "[^a-z0-9]+" (lower .) "-" | trunc 24 | trimAll "-") (sha256sum . | trunc 6) -}}
{{- end }}

{{- define "launch.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end }}

{{- define "launch.labels" -}}
{{ include "launch.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: custom-launch
{{- end }}

{{/* Whether the Job of this chart makes worker versions current. */}}
{{- define "launch.promotes" -}}
{{- if and .Values.promotion.enabled (not .Values.workerController.enabled) }}yes{{ end -}}
{{- end }}

{{- define "launch.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.pods.user }}
runAsGroup: {{ .Values.pods.user }}
fsGroup: {{ .Values.pods.user }}
# The blob store is large: its owner is changed once, not at each start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "launch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The families of work whose histories a service reads: its own, the gateway those of modules too, and custody those of its callers. Takes { service, family }. */}}
{{- define "launch.families" -}}
{{ if eq .family "custody" }}launches{{ else }}{{ .family }}{{ end }}{{ if eq .service "api-gateway" }} modules{{ end }}
{{- end }}

{{/* Variables of the connection to Temporal. Takes { root, service, family }. */}}
{{- define "launch.temporalEnv" -}}
{{- $family := .family }}
{{- $isBoth := eq .service "api-gateway" }}
{{- with .root.Values.temporal }}
- { name: TEMPORAL_ADDRESS, value: {{ .address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ index .namespaces $family | quote }} }
{{- if eq $family "custody" }}
- { name: TEMPORAL_LAUNCHES_NAMESPACE, value: {{ .namespaces.launches | quote }} }
{{- end }}
{{- if $isBoth }}
- { name: TEMPORAL_CUSTODY_NAMESPACE, value: {{ .namespaces.custody | quote }} }
- { name: TEMPORAL_MODULES_NAMESPACE, value: {{ .namespaces.modules | quote }} }
{{- end }}
- { name: TEMPORAL_TLS, value: {{ .tls.enabled | quote }} }
{{- with .tls.serverName }}
- { name: TEMPORAL_SERVER_NAME, value: {{ . | quote }} }
{{- end }}
{{- if .tls.caSecret }}
- { name: TEMPORAL_CA_FILE, value: /run/temporal/ca/ca.crt }
{{- end }}
{{- if .tls.clientSecret }}
- { name: TEMPORAL_CLIENT_CERT_FILE, value: /run/temporal/client/tls.crt }
- { name: TEMPORAL_CLIENT_KEY_FILE, value: /run/temporal/client/tls.key }
{{- end }}
{{- if .apiKeySecret }}
- { name: TEMPORAL_API_KEY_FILE, value: /run/temporal/api-key/api-key }
{{- end }}
{{- $histories := ternary "launches" $family (eq $family "custody") }}
{{- if index .payloadKeysSecrets $histories }}
- { name: TEMPORAL_PAYLOAD_KEYS_FILE, value: /run/temporal/payload-keys/{{ $histories }}/payload-keys }
{{- end }}
{{- if and $isBoth .payloadKeysSecrets.modules }}
- { name: TEMPORAL_MODULES_PAYLOAD_KEYS_FILE, value: /run/temporal/payload-keys/modules/payload-keys }
{{- end }}
{{- end }}
{{- end }}

{{/* Modes are decimal, because parsers of YAML disagree about 0440: 288 is 0440. Secrets of the connection to Temporal. Takes { root, service, family }: `{service}` in a name stands for the service. */}}
{{- define "launch.temporalMounts" -}}
{{- $families := splitList " " (include "launch.families" .) }}
{{- with .root.Values.temporal }}
{{- if .tls.caSecret }}
- { name: temporal-ca, mountPath: /run/temporal/ca, readOnly: true }
{{- end }}
{{- if .tls.clientSecret }}
- { name: temporal-client, mountPath: /run/temporal/client, readOnly: true }
{{- end }}
{{- if .apiKeySecret }}
- { name: temporal-api-key, mountPath: /run/temporal/api-key, readOnly: true }
{{- end }}
{{- range $family := $families }}
{{- if index $.root.Values.temporal.payloadKeysSecrets $family }}
- { name: {{ $family }}-payload-keys, mountPath: /run/temporal/payload-keys/{{ $family }}, readOnly: true }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "launch.temporalVolumes" -}}
{{- $service := .service }}
{{- $families := splitList " " (include "launch.families" .) }}
{{- with .root.Values.temporal }}
{{- if .tls.caSecret }}
- { name: temporal-ca, secret: { secretName: {{ .tls.caSecret | replace "{service}" $service | quote }}, defaultMode: 288 } }
{{- end }}
{{- if .tls.clientSecret }}
- { name: temporal-client, secret: { secretName: {{ .tls.clientSecret | replace "{service}" $service | quote }}, defaultMode: 288 } }
{{- end }}
{{- if .apiKeySecret }}
- { name: temporal-api-key, secret: { secretName: {{ .apiKeySecret | replace "{service}" $service | quote }}, defaultMode: 288 } }
{{- end }}
{{- range $family := $families }}
{{- with index $.root.Values.temporal.payloadKeysSecrets $family }}
- { name: {{ $family }}-payload-keys, secret: { secretName: {{ . | replace "{service}" $service | quote }}, defaultMode: 288 } }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Whether a service exports traces: custody only where a value says so, the site never. Takes { root, service }. */}}
{{- define "launch.traced" -}}
{{- with .root.Values.tracing -}}
{{- if and .endpoint (ne $.service "site") (or .custody (ne $.service "permit-custody")) }}yes{{ end -}}
{{- end -}}
{{- end }}

{{/* The document of a service, or nothing. `release.gateway` keeps the gateway's contexts. Takes { root, service, name }. */}}
{{- define "launch.document" -}}
{{- $held := "" -}}
{{- if eq .service "api-gateway" -}}{{- $held = index .root.Values.release.gateway .name | default "" -}}{{- end -}}
{{- $held | default (index .root.Values.documents .name) -}}
{{- end }}

{{- define "launch.placement" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pods.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pods.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Where custody's key is. */}}
{{- define "launch.signerEnv" -}}
{{- with .Values.permitSigner }}
- { name: PERMIT_SIGNER, value: {{ .kind }} }
{{- if eq .kind "aws-kms" }}
- { name: PERMIT_KMS_KEY_ID, value: {{ required "permitSigner.kms.keyId names the key of AWS KMS" .kms.keyId | quote }} }
- { name: PERMIT_KMS_REGION, value: {{ required "permitSigner.kms.region is the region of the key" .kms.region | quote }} }
{{- with .kms.endpoint }}
- { name: PERMIT_KMS_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- else if eq .kind "web3signer" }}
- { name: PERMIT_WEB3SIGNER_URL, value: {{ required "permitSigner.web3signer.url is the URL of Web3Signer" .web3signer.url | quote }} }
- { name: PERMIT_WEB3SIGNER_PUBLIC_KEY, value: {{ required "permitSigner.web3signer.publicKey names the key" .web3signer.publicKey | quote }} }
{{- if .web3signer.tlsSecret }}
- { name: PERMIT_WEB3SIGNER_CA_FILE, value: /run/signer/ca.crt }
- { name: PERMIT_WEB3SIGNER_CLIENT_CERT_FILE, value: /run/signer/tls.crt }
- { name: PERMIT_WEB3SIGNER_CLIENT_KEY_FILE, value: /run/signer/tls.key }
{{- end }}
{{- else if eq .kind "pkcs11" }}
- { name: PERMIT_PKCS11_MODULE, value: {{ required "permitSigner.pkcs11.module is the path of the PKCS#11 library" .pkcs11.module | quote }} }
- { name: PERMIT_PKCS11_TOKEN_LABEL, value: {{ required "permitSigner.pkcs11.tokenLabel names the token" .pkcs11.tokenLabel | quote }} }
- { name: PERMIT_PKCS11_KEY_ID, value: {{ required "permitSigner.pkcs11.keyId is the CKA_ID of the key" .pkcs11.keyId | quote }} }
- { name: PERMIT_PKCS11_TOOL, value: {{ .pkcs11.tool | quote }} }
{{- with .pkcs11.environment }}
- { name: PERMIT_PKCS11_ENVIRONMENT, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The Secret with what the connection to custody's signer needs, or nothing. */}}
{{- define "launch.signerSecret" -}}
{{- with .Values.permitSigner }}
{{- if eq .kind "web3signer" }}{{ .web3signer.tlsSecret }}{{ else if eq .kind "pkcs11" }}{{ .pkcs11.clientSecret }}{{ end }}
{{- end }}
{{- end }}

{{/* The store of the builder's results: a bucket's prefix of its own, or a volume. */}}
{{- define "launch.buildResults" -}}
{{- if .Values.blobs.s3 -}}
{{- required "blobs.buildResults.s3 names the prefix of the builder's results, beside blobs.s3" .Values.blobs.buildResults.s3 -}}
{{- else -}}
/var/lib/launch/build-results
{{- end -}}
{{- end }}

{{- define "launch.buildResultsClaim" -}}
{{- .Values.blobs.buildResults.existingClaim | default (printf "%s-build-results" .Release.Name) -}}
{{- end }}
