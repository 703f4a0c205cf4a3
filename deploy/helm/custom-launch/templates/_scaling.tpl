{{/* How KEDA scales a worker: the members of a ScaledObject besides its target. Takes { root, service, fact, deployment, buildId }. */}}
{{- define "launch.scaling" -}}
{{- $root := .root }}{{ $fact := .fact }}{{ $deployment := .deployment }}{{ $buildId := .buildId }}
{{- $bounds := index $root.Values.autoscaling.workers .service }}
minReplicaCount: {{ $bounds.min }}
maxReplicaCount: {{ $bounds.max }}
cooldownPeriod: {{ $root.Values.autoscaling.cooldownSeconds }}
advanced:
  horizontalPodAutoscalerConfig:
    behavior:
      scaleDown: { stabilizationWindowSeconds: {{ $root.Values.autoscaling.cooldownSeconds }} }
triggers:
  {{- range $queue, $types := $fact.queues }}
  - type: temporal
    metadata:
      endpoint: {{ $root.Values.autoscaling.temporalEndpoint | default $root.Values.temporal.address | quote }}
      namespace: {{ index $root.Values.temporal.namespaces $fact.temporal | quote }}
      taskQueue: {{ $queue }}
      queueTypes: {{ $types }}
      targetQueueSize: {{ $root.Values.autoscaling.targetQueueSize | quote }}
      enableTLS: {{ $root.Values.temporal.tls.enabled | quote }}
      {{- with $root.Values.temporal.tls.serverName }}
      tlsServerName: {{ . | quote }}
      {{- end }}
      {{- if and $buildId (contains "workflow" $types) }}
      workerDeploymentName: {{ $deployment }}
      workerDeploymentBuildId: {{ $buildId | quote }}
      {{- end }}
    {{- with $root.Values.autoscaling.authenticationRef }}
    authenticationRef: { name: {{ . | quote }} }
    {{- end }}
  {{- end }}
{{- end }}
