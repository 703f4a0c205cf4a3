#!/bin/sh
# The namespaces (docs/adr/0131), the endpoint of custody, and the search attributes operators filter by; safe to repeat.
set -eu
launches=${TEMPORAL_NAMESPACE:-launches}
custody=${TEMPORAL_CUSTODY_NAMESPACE:-custody}
modules=${TEMPORAL_MODULES_NAMESPACE:-modules}
unset TEMPORAL_NAMESPACE
if [ -n "${TEMPORAL_API_KEY_FILE:-}" ]; then
  TEMPORAL_API_KEY=$(cat "$TEMPORAL_API_KEY_FILE")
  export TEMPORAL_API_KEY
fi
until temporal operator cluster health >/dev/null 2>&1; do sleep 1; done
for namespace in "$launches" "$custody" "$modules"; do
  temporal operator namespace describe --namespace "$namespace" >/dev/null 2>&1 \
    || temporal operator namespace create --namespace "$namespace" --retention 720h
done
# Custody has no workflows, so nothing to search.
for namespace in "$launches" "$modules"; do
  # A new namespace is not known everywhere at once.
  until temporal operator search-attribute list --namespace "$namespace" >/dev/null 2>&1; do sleep 1; done
  present=$(temporal operator search-attribute list --namespace "$namespace")
  set --
  for attribute in LaunchId=Keyword LaunchController=Keyword LaunchStage=Keyword LaunchFinding=KeywordList LaunchFamily=Keyword \
    ModuleSubmissionId=Keyword ModuleAuthor=Keyword ReviewState=Keyword ReviewAttempt=Int IndexChain=Int IndexSourceVersion=Keyword IndexState=Keyword; do
    name=${attribute%=*}
    printf '%s\n' "$present" | grep -qw "$name" || set -- "$@" --name "$name" --type "${attribute#*=}"
  done
  # One request for all: the server refuses more than a few of them in a second.
  [ $# -eq 0 ] || temporal operator search-attribute create --namespace "$namespace" "$@"
  # Nor are its attributes: until a query by them is answered, a launch's workflow could not be started.
  until temporal workflow count --namespace "$namespace" \
    --query "LaunchId = 'none' AND LaunchController = 'none' AND LaunchStage = 'none' AND LaunchFinding = 'none' AND LaunchFamily = 'none' \
      AND ModuleSubmissionId = 'none' AND ModuleAuthor = 'none' AND ReviewState = 'none' AND ReviewAttempt = -1 \
      AND IndexChain = -1 AND IndexSourceVersion = 'none' AND IndexState = 'none'" \
    >/dev/null 2>&1; do sleep 1; done
done
# Launches call custody by this endpoint.
temporal operator nexus endpoint get --name launch-custody >/dev/null 2>&1 \
  || temporal operator nexus endpoint create --name launch-custody --target-namespace "$custody" --target-task-queue launch-custody
