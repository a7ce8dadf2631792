package main

import (
	"os"
	"testing"
	"time"
)

func TestHalfEmptyNodesGoAndTheirPodsMoveToOneSmallNode(t *testing.T) {
	raw, err := os.ReadFile("testdata/slack-fleet.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := settings{limit: time.Minute}.consolidate(raw, "slack-fleet")
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, got.PricePerHour, 1.2)
	wantEqual(t, got.Final.PricePerHour, 0.6)
	wantEqual(t, got.Final.Nodes, 2)
	wantEqual(t, got.Runs, 3)
	wantEqual(t, got.IsCut || got.IsTimedOut || got.IsFirstTimedOut, false)
	last := got.Passes[len(got.Passes)-1]
	wantEqual(t, last.Method, "")
}
