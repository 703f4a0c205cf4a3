{{/*
A worker that Temporal's Worker Controller rolls out: it runs a Deployment for each version, starts the gate workflow on the new one and makes it
current once the gate completed. Takes { root, service, fact, version, name }.
*/}}
{{- define "launch.workerDeployment" -}}
{{- $root := .root }}{{ $service := .service }}{{ $fact := .fact }}
{{- $labels := dict "root" $root "service" $service }}
{{- $scaled := and $root.Values.autoscaling.enabled (hasKey $root.Values.autoscaling.workers $service) }}
---
apiVersion: temporal.io/v1alpha1
kind: WorkerDeployment
metadata:
  name: {{ .name }}
  labels: {{- include "launch.labels" $labels | nindent 4 }}
spec:
  {{- if not $scaled }}
  replicas: {{ (index $root.Values.services $service).replicas }}
  {{- end }}
  workerOptions:
    connectionRef: { name: {{ include "launch.name" (dict "root" $root "service" "temporal") }} }
    temporalNamespace: {{ index $root.Values.temporal.namespaces $fact.temporal | quote }}
  rollout:
    strategy: AllAtOnce
    gate: { workflowType: replayGate }
  sunset: { scaledownDelay: {{ $root.Values.workerController.scaledownDelay }}, deleteDelay: {{ $root.Values.workerController.deleteDelay }} }
  template:
{{ include "launch.podTemplate" . }}
{{- if $scaled }}
---
apiVersion: temporal.io/v1alpha1
kind: WorkerResourceTemplate
metadata:
  name: {{ .name }}
  labels: {{- include "launch.labels" $labels | nindent 4 }}
spec:
  workerDeploymentRef: { name: {{ .name }} }
  template:
    apiVersion: keda.sh/v1alpha1
    kind: ScaledObject
    spec:
      # The controller names the Deployment of each version.
      scaleTargetRef: {}
{{ include "launch.scaling" (dict "root" $root "service" $service "fact" $fact "deployment" (printf "%s/%s" $root.Release.Namespace .name) "buildId" "__TEMPORAL_WORKER_BUILD_ID__") | indent 6 }}
{{- end }}
{{- end }}
