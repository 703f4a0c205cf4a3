{{/* The Deployment of a service at one version. Takes { root, service, fact, version, name, scaled }. */}}
{{- define "launch.workload" -}}
{{- $root := .root }}{{ $service := .service }}{{ $fact := .fact }}{{ $version := .version }}
{{- $settings := index $root.Values.services $service }}
{{- $labels := dict "root" $root "service" $service }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{- include "launch.labels" $labels | nindent 4 }}
    launch/version: {{ include "launch.suffix" $version }}
spec:
  {{- if not .scaled }}
  replicas: {{ $settings.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  selector:
    matchLabels: {{- include "launch.selector" $labels | nindent 6 }}
      {{- if $fact.versioned }}
      launch/version: {{ include "launch.suffix" $version }}
      {{- end }}
  template:
{{ include "launch.podTemplate" . }}
{{- end }}

{{/* The template of a service's pods at one version, indented as in a Deployment. Takes { root, service, fact, version }. */}}
{{- define "launch.podTemplate" }}
{{- $root := .root }}{{ $service := .service }}{{ $fact := .fact }}{{ $version := .version }}
{{- $settings := index $root.Values.services $service }}
{{- $credentials := and $fact.blobs $root.Values.blobs.s3 $root.Values.blobs.credentialsSecret }}
{{- $probe := ternary "operations" "http" (hasKey $fact "operations") }}
{{- $labels := dict "root" $root "service" $service }}
{{- $signerSecret := ternary (include "launch.signerSecret" $root) "" (hasKey $fact "signer") }}
    metadata:
      labels: {{- include "launch.labels" $labels | nindent 8 }}
        launch/version: {{ include "launch.suffix" $version }}
    spec:
      serviceAccountName: {{ include "launch.name" $labels }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      # Longer than the sleep before SIGTERM and the 25 s after which a program ends its own drain.
      terminationGracePeriodSeconds: {{ add 35 (ternary $root.Values.pods.preStopSeconds 0 (hasKey $fact "port")) }}
      securityContext: {{- include "launch.podSecurity" $root | nindent 8 }}
      {{- include "launch.placement" . | nindent 6 }}
      topologySpreadConstraints:
        {{- range $root.Values.pods.topologyKeys }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "launch.selector" $labels | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      {{- with $fact.privateKeys }}
      initContainers:
        - name: private-keys
          image: {{ include "launch.image" (dict "root" $root "image" $fact.image "version" $version) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          # A Secret's files are links that the group may read, which the signer refuses.
          command: [node, -e, "const fs=require('node:fs');for(const name of fs.readdirSync('/run/mounted').filter((one)=>!one.startsWith('.'))){const copy='/run/private/'+name;fs.rmSync(copy,{force:true});fs.writeFileSync(copy,fs.readFileSync('/run/mounted/'+name),{mode:0o400})}"]
          securityContext: {{- include "launch.containerSecurity" $root | nindent 12 }}
          resources: { requests: { cpu: 10m, memory: 64Mi }, limits: { memory: 128Mi } }
          volumeMounts:
            - { name: mounted-keys, mountPath: /run/mounted, readOnly: true }
            - { name: private-keys, mountPath: /run/private }
      {{- end }}
      containers:
        - name: {{ $service }}
          image: {{ include "launch.image" (dict "root" $root "image" $fact.image "version" $version) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: {{ toJson $fact.command }}
          securityContext: {{- include "launch.containerSecurity" $root | nindent 12 }}
          resources: {{- toYaml $settings.resources | nindent 12 }}
          ports:
            {{- if $fact.port }}
            - { name: http, containerPort: {{ $fact.port }} }
            {{- end }}
            {{- if $fact.operations }}
            - { name: operations, containerPort: 9464 }
            {{- end }}
          {{- if $fact.port }}
          # Endpoints lose the pod first; connections that arrive meanwhile are still served.
          lifecycle: { preStop: { sleep: { seconds: {{ $root.Values.pods.preStopSeconds }} } } }
          {{- end }}
          startupProbe: { httpGet: { path: /healthz, port: {{ $probe }} }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 }
          readinessProbe: { httpGet: { path: /readyz, port: {{ $probe }} }, periodSeconds: 5, timeoutSeconds: 4, failureThreshold: 2 }
          livenessProbe: { httpGet: { path: /healthz, port: {{ $probe }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          env:
            - { name: HOST, value: 0.0.0.0 }
            {{- if $fact.port }}
            - { name: PORT, value: {{ $fact.port | quote }} }
            {{- end }}
            {{- with $fact.operations }}
            - { name: {{ . }}, value: '9464' }
            {{- end }}
            {{- if ne $service "site" }}
            - { name: LOG_LEVEL, value: {{ $root.Values.logLevel }} }
            {{- end }}
            {{- if include "launch.traced" (dict "root" $root "service" $service) }}
            - { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ $root.Values.tracing.endpoint | quote }} }
            - { name: OTEL_TRACES_SAMPLER_ARG, value: {{ $root.Values.tracing.samplerArg | toString | quote }} }
            {{- end }}
            {{- if $fact.temporal }}
            {{- include "launch.temporalEnv" (dict "root" $root "service" $service "family" $fact.temporal) | nindent 12 }}
            {{- end }}
            {{- with $fact.url }}
            - { name: DATABASE_URL_FILE, value: /run/secrets/DATABASE_URL_FILE }
            {{- end }}
            {{- if $fact.blobs }}
            - { name: BLOB_STORE, value: {{ $root.Values.blobs.s3 | default "/var/lib/launch/blobs" | quote }} }
            {{- if $credentials }}
            - { name: AWS_SHARED_CREDENTIALS_FILE, value: /run/blobs/credentials }
            {{- end }}
            {{- end }}
            {{- if $fact.buildResults }}
            - { name: BUILD_RESULTS_STORE, value: {{ include "launch.buildResults" $root | quote }} }
            {{- end }}
            {{- range $variable, $ := $fact.secrets }}
            - { name: {{ $variable }}, value: /run/secrets/{{ $variable }} }
            {{- end }}
            {{- range $variable, $ := $fact.privateKeys }}
            - { name: {{ $variable }}, value: /run/private/{{ $variable }} }
            {{- end }}
            {{- range $variable, $folder := $fact.scratch }}
            - { name: {{ $variable }}, value: {{ $folder }} }
            {{- end }}
            {{- range $variable, $document := $fact.documents }}
            {{- if include "launch.document" (dict "root" $root "service" $service "name" $document.name) }}
            - { name: {{ $variable }}, value: /run/launch/{{ kebabcase $document.name }}{{ if ne $document.path "." }}/{{ $document.path }}{{ end }} }
            {{- end }}
            {{- end }}
            {{- if eq $service "api-gateway" }}
            - { name: INDEX_DATABASE_URL_FILE, value: /run/secrets/INDEX_DATABASE_URL_FILE }
            - { name: PUBLIC_ORIGIN, value: {{ $root.Values.publicOrigin | quote }} }
            - { name: SITE_URL, value: {{ $root.Values.siteUrl | quote }} }
            {{- end }}
            {{- if eq $service "site" }}
            - { name: GATEWAY_URL, value: 'http://{{ include "launch.name" (dict "root" $root "service" "api-gateway") }}:8080' }
            - { name: PUBLIC_GATEWAY_URL, value: {{ $root.Values.publicOrigin | quote }} }
            - { name: SITE_URL, value: {{ $root.Values.siteUrl | quote }} }
            {{- end }}
            {{- if $fact.signer }}
            {{- include "launch.signerEnv" $root | nindent 12 }}
            {{- end }}
            {{- if $fact.codecKeys }}
            - { name: CODEC_KEY_FILES, value: {{ printf "%s=/run/codec/launches/payload-keys,%s=/run/codec/modules/payload-keys" $root.Values.temporal.namespaces.launches $root.Values.temporal.namespaces.modules | quote }} }
            {{- end }}
            {{- range $name, $value := $settings.env }}
            - { name: {{ $name }}, value: {{ $value | toString | quote }} }
            {{- end }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if or $fact.url $fact.secrets }}
            - { name: secrets, mountPath: /run/secrets, readOnly: true }
            {{- end }}
            {{- if $fact.privateKeys }}
            - { name: private-keys, mountPath: /run/private, readOnly: true }
            {{- end }}
            {{- if $signerSecret }}
            - { name: signer, mountPath: /run/signer, readOnly: true }
            {{- end }}
            {{- if $fact.codecKeys }}
            - { name: launches-codec-keys, mountPath: /run/codec/launches, readOnly: true }
            - { name: modules-codec-keys, mountPath: /run/codec/modules, readOnly: true }
            {{- end }}
            {{- if $credentials }}
            - { name: blob-credentials, mountPath: /run/blobs, readOnly: true }
            {{- end }}
            {{- if and $fact.blobs (not $root.Values.blobs.s3) }}
            - { name: blobs, mountPath: /var/lib/launch/blobs, readOnly: {{ eq $fact.blobs "read" }} }
            {{- end }}
            {{- if and $fact.buildResults (not $root.Values.blobs.s3) }}
            - { name: build-results, mountPath: /var/lib/launch/build-results, readOnly: {{ eq $fact.buildResults "read" }} }
            {{- end }}
            {{- range $variable, $folder := $fact.scratch }}
            - { name: {{ lower $variable | replace "_" "-" }}, mountPath: {{ $folder }} }
            {{- end }}
            {{- range $variable, $document := $fact.documents }}
            {{- if include "launch.document" (dict "root" $root "service" $service "name" $document.name) }}
            - { name: {{ kebabcase $document.name }}, mountPath: /run/launch/{{ kebabcase $document.name }}, readOnly: true }
            {{- end }}
            {{- end }}
            {{- if $fact.temporal }}
            {{- include "launch.temporalMounts" (dict "root" $root "service" $service "family" $fact.temporal) | nindent 12 }}
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
        {{- if or $fact.url $fact.secrets }}
        - name: secrets
          projected:
            defaultMode: 288
            sources:
              {{- with $fact.url }}
              {{- $one := index $root.Values.databases . }}
              - secret: { name: {{ $one.secret | quote }}, items: [{ key: {{ $one.key | quote }}, path: DATABASE_URL_FILE }] }
              {{- end }}
              {{- if eq $service "api-gateway" }}
              {{- $one := $root.Values.databases.index }}
              - secret: { name: {{ $one.secret | quote }}, items: [{ key: {{ $one.key | quote }}, path: INDEX_DATABASE_URL_FILE }] }
              {{- end }}
              {{- range $variable, $name := $fact.secrets }}
              {{- $one := index $root.Values.secrets $name }}
              - secret: { name: {{ $one.secret | quote }}, items: [{ key: {{ $one.key | quote }}, path: {{ $variable }} }] }
              {{- end }}
        {{- end }}
        {{- with $fact.privateKeys }}
        - name: mounted-keys
          projected:
            defaultMode: 288
            sources:
              {{- range $variable, $name := . }}
              {{- $one := index $root.Values.secrets $name }}
              - secret: { name: {{ $one.secret | quote }}, items: [{ key: {{ $one.key | quote }}, path: {{ $variable }} }] }
              {{- end }}
        - { name: private-keys, emptyDir: { medium: Memory, sizeLimit: 1Mi } }
        {{- end }}
        {{- if $signerSecret }}
        - { name: signer, secret: { secretName: {{ $signerSecret | quote }}, defaultMode: 288 } }
        {{- end }}
        {{- if $fact.codecKeys }}
        {{- range $family := list "launches" "modules" }}
        - { name: {{ $family }}-codec-keys, secret: { secretName: {{ required (printf "codecServer.keysSecrets.%s names the Secret with the payload keys that the codec server decrypts by" $family) (index $root.Values.codecServer.keysSecrets $family) | quote }}, defaultMode: 288 } }
        {{- end }}
        {{- end }}
        {{- if $credentials }}
        - { name: blob-credentials, secret: { secretName: {{ $credentials | replace "{service}" $service | quote }}, defaultMode: 288 } }
        {{- end }}
        {{- if and $fact.blobs (not $root.Values.blobs.s3) }}
        - { name: blobs, persistentVolumeClaim: { claimName: {{ $root.Values.blobs.existingClaim | default (printf "%s-blobs" $root.Release.Name) | quote }}, readOnly: {{ eq $fact.blobs "read" }} } }
        {{- end }}
        {{- if and $fact.buildResults (not $root.Values.blobs.s3) }}
        - { name: build-results, persistentVolumeClaim: { claimName: {{ include "launch.buildResultsClaim" $root | quote }}, readOnly: {{ eq $fact.buildResults "read" }} } }
        {{- end }}
        {{- range $variable, $ := $fact.scratch }}
        - { name: {{ lower $variable | replace "_" "-" }}, emptyDir: { sizeLimit: 4Gi } }
        {{- end }}
        {{- range $variable, $document := $fact.documents }}
        {{- with include "launch.document" (dict "root" $root "service" $service "name" $document.name) }}
        - { name: {{ kebabcase $document.name }}, configMap: { name: {{ . | quote }} } }
        {{- end }}
        {{- end }}
        {{- if $fact.temporal }}
        {{- include "launch.temporalVolumes" (dict "root" $root "service" $service "family" $fact.temporal) | nindent 8 }}
        {{- end }}
{{- end }}
