package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestExistingNodesAndLaunchedClaimsComeBeforeNewNodes(t *testing.T) {
	got := solved(t, "existing-node-preferred")
	wantEqual(t, got.Existing, []existingNode{
		{Node: "c2", Pods: []string{"shop/fits-c2"}},
		{Node: "n1", Pods: []string{"shop/fits-n1"}},
	})
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/needs-new"}})
}

func TestTaintedPoolTakesOnlyTolerantPods(t *testing.T) {
	got := solved(t, "taints")
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/tolerant"}})
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/plain"})
	wantContains(t, got.Waiting[0].Message, "taint")
}

func TestDaemonSetTakesRoomOnNewNodes(t *testing.T) {
	got := solved(t, "daemon-overhead")
	wantEqual(t, got.Nodes[0].Types, []string{"medium", "large"})
	wantEqual(t, got.Nodes[0].Type, "medium")
	wantEqual(t, got.Nodes[0].CapacityType, "spot")
	wantEqual(t, got.PricePerHour, 0.08)
}

func TestHostnameSpreadOpensOneNodeEach(t *testing.T) {
	got := solved(t, "hostname-spread")
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/web-0"}, {"shop/web-1"}, {"shop/web-2"}})
	wantEqual(t, got.PricePerHour, 0.12)
}

func TestUnschedulablePodsWaitAndInvalidOnesAreIgnored(t *testing.T) {
	got := solved(t, "unschedulable")
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/fine"}})
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/elsewhere", "shop/huge"})
	wantEqual(t, ignoredNames(got.Ignored), []string{"shop/pinned", "shop/volumeless"})
}

func TestBoundVolumeDecidesTheZoneAndFullDriversRepel(t *testing.T) {
	got := solved(t, "volumes")
	wantEqual(t, len(got.Existing), 0)
	wantEqual(t, got.Nodes[0].Zone, "zone-b")
}

func TestSecondPodWaitsForTheReservation(t *testing.T) {
	got := solved(t, "reserved")
	wantEqual(t, got.Nodes[0].CapacityType, "reserved")
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/second"})
	wantEqual(t, got.Waiting[0].IsDeferred, true)
}

func TestReservedCapacityCanBeSwitchedOff(t *testing.T) {
	off := false
	got := solvedWith(t, settings{isReservedCapacityOn: &off}, "reserved")
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/first"}, {"shop/second"}})
}

func TestPodsLeaveDeletingNodesButDaemonsStay(t *testing.T) {
	got := solved(t, "deleting-node")
	wantEqual(t, podsOf(got.Nodes), [][]string{{"shop/leaves"}})
}

func TestOnlyTypesWithAWellKnownLabelServeIt(t *testing.T) {
	got := solved(t, "well-known-label")
	wantEqual(t, got.Nodes[0].Types, []string{"gpu"})
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/stranger"})
}

func TestPoolThatSaysItIsNotReadyIsLeftOut(t *testing.T) {
	got := solved(t, "pool-not-ready")
	wantEqual(t, len(got.Nodes), 0)
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/web"})
}

func TestLabelsOfOneDocumentDoNotReachTheNext(t *testing.T) {
	solved(t, "well-known-label")
	raw, err := os.ReadFile(filepath.Join("testdata", "well-known-label.json"))
	wantNoError(t, err)
	without := bytes.Replace(raw, []byte(`"wellKnownLabels"`), []byte(`"unused"`), 1)
	got, err := settings{}.solve(without, "without")
	wantNoError(t, err)
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/stranger", "shop/trainer"})
}

func TestServeAnswersPathsAndDocumentsAndGoesOnAfterErrors(t *testing.T) {
	var inline bytes.Buffer
	raw, err := os.ReadFile(filepath.Join("testdata", "taints.json"))
	wantNoError(t, err)
	wantNoError(t, json.Compact(&inline, raw))
	input := strings.Join([]string{"testdata/missing.json", "{}", inline.String(), "testdata/hostname-spread.json"}, "\n")
	var output bytes.Buffer
	wantNoError(t, settings{}.serve(strings.NewReader(input), &output))
	lines := strings.Split(strings.TrimSpace(output.String()), "\n")
	wantEqual(t, len(lines), 4)
	wantContains(t, lines[0], `"error":"open testdata/missing.json`)
	wantContains(t, lines[1], "wanted format 1")
	wantContains(t, lines[2], `"name":"taints"`)
	wantContains(t, lines[3], `"name":"hostname-spread"`)
}

func TestPanicInTheModuleIsAnError(t *testing.T) {
	raw := []byte(`{"kind": "List", "instanceTypes": [{"name": "a", "arch": "amd64", "os": ["linux"],
		"capacity": {"cpuMilli": 1000, "memoryBytes": 1000000000, "pods": 10},
		"offerings": [{"zone": "z", "capacityType": "spot", "price": 1}]}], "items": [
		{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "default"}},
		{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"v": "1"}}, "spec": {
			"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname",
				"whenUnsatisfiable": "DoNotSchedule", "matchLabelKeys": ["v"]}]}}]}`)
	_, err := settings{}.solve(raw, "selectorless")
	wantContains(t, err.Error(), "panicked")
	wantContains(t, err.Error(), "topology.go")
}

func TestTimeoutNamesThePodsItDidNotReach(t *testing.T) {
	got := solvedWith(t, settings{timeout: time.Nanosecond}, "hostname-spread")
	wantEqual(t, got.IsTimedOut, true)
	wantEqual(t, waitingNames(got.Waiting), []string{"shop/web-0", "shop/web-1", "shop/web-2"})
}

func TestRepeatsTellTheDifferentAnswers(t *testing.T) {
	got := solvedWith(t, settings{repeats: 5}, "existing-node-preferred")
	wantEqual(t, got.Repeats, 5)
	wantEqual(t, got.PricesSeen, []float64{0.08})
	wantEqual(t, len(got.ExistingVariants), 1)
	wantEqual(t, got.WaitingVariants, [][]string{{}})
}

// TestNeutralProblemsGiveThePublishedFigures needs the problem files, whose folder PEER_PROBLEMS names. The two small
// diverse problems scatter by up to seven percent with the pods' uids, in the peer itself; the others are steady.
func TestNeutralProblemsGiveThePublishedFigures(t *testing.T) {
	folder := os.Getenv("PEER_PROBLEMS")
	if folder == "" {
		t.Skip("PEER_PROBLEMS is not set")
	}
	for name, tolerance := range map[string]float64{
		"diverse-1000-awslikeod": 0.07,
		"diverse-1000-fake400":   0.03,
		"diverse-5000-fake400":   0.01,
		"generic-2000-awslikeod": 0.005,
		"randsize-2000-fake400":  0.005,
	} {
		raw, err := readDocument(filepath.Join(folder, name+".json.gz"))
		wantNoError(t, err)
		got, err := settings{}.solve(raw, name)
		wantNoError(t, err)
		wantEqual(t, len(got.Nodes), got.Expected.Nodes)
		wantEqual(t, len(got.Waiting), got.Expected.Unschedulable)
		if deviation := math.Abs(got.PricePerHour/got.Expected.PricePerHour - 1); deviation > tolerance {
			t.Errorf("%s: price %f deviates by %.2f%% from %f", name, got.PricePerHour, 100*deviation, got.Expected.PricePerHour)
		}
	}
}

func solved(t *testing.T, name string) answer {
	t.Helper()
	return solvedWith(t, settings{}, name)
}

func solvedWith(t *testing.T, given settings, name string) answer {
	t.Helper()
	raw, err := readDocument(filepath.Join("testdata", name+".json"))
	wantNoError(t, err)
	result, err := given.solve(raw, name)
	wantNoError(t, err)
	return result
}

func podsOf(nodes []newNode) [][]string {
	var result [][]string
	for _, node := range nodes {
		result = append(result, node.Pods)
	}
	return result
}

func ignoredNames(ignored []ignoredPod) []string {
	var result []string
	for _, pod := range ignored {
		result = append(result, pod.Pod)
	}
	slices.Sort(result)
	return result
}

// wantEqual compares by the JSON text: that is what callers of the program see.
func wantEqual(t *testing.T, got, want any) {
	t.Helper()
	gotText, wantText := text(t, got), text(t, want)
	if gotText != wantText {
		t.Errorf("got %s, want %s", gotText, wantText)
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	result, err := json.Marshal(value)
	wantNoError(t, err)
	return string(result)
}

func wantContains(t *testing.T, got, part string) {
	t.Helper()
	if !strings.Contains(got, part) {
		t.Errorf("got %q, which lacks %q", got, part)
	}
}

func wantNoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
