#!/bin/sh
# The namespace, and the search attributes operators filter by; safe to repeat.
set -eu
until temporal operator cluster health >/dev/null 2>&1; do sleep 1; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 \
  || temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h
# A new namespace is not known everywhere at once.
until temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; do sleep 1; done
for attribute in LaunchId=Keyword LaunchController=Keyword LaunchStage=Keyword LaunchFinding=KeywordList LaunchFamily=Keyword \
  ModuleSubmissionId=Keyword ModuleAuthor=Keyword ReviewState=Keyword ReviewAttempt=Int IndexChain=Int IndexSourceVersion=Keyword IndexState=Keyword; do
  name=${attribute%=*}
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" | grep -qw "$name" \
    || temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type "${attribute#*=}"
done
# Nor are its attributes: until a query by them is answered, a launch's workflow could not be started.
until temporal workflow count --namespace "$TEMPORAL_NAMESPACE" \
  --query "LaunchId = 'none' AND LaunchController = 'none' AND LaunchStage = 'none' AND LaunchFinding = 'none' AND LaunchFamily = 'none' \
    AND ModuleSubmissionId = 'none' AND ModuleAuthor = 'none' AND ReviewState = 'none' AND ReviewAttempt = -1 \
    AND IndexChain = -1 AND IndexSourceVersion = 'none' AND IndexState = 'none'" \
  >/dev/null 2>&1; do sleep 1; done
