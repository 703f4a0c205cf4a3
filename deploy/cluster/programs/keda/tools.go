//go:build tools

// Package tools names the programs that are built, so that go.mod keeps their modules.
package tools

import (
	_ "github.com/kedacore/keda/v2/cmd/operator"
	_ "github.com/kedacore/keda/v2/cmd/adapter"
)
