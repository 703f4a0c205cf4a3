//go:build tools

// Package tools names the programs that are built, so that go.mod keeps their modules.
package tools

import (
	_ "sigs.k8s.io/metrics-server/cmd/metrics-server"
)
