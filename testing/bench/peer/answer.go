package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// answer is one line of output. Every list is sorted, so that equal answers are equal texts.
type answer struct {
	Name string `json:"name"`
	// PricePerHour is rounded to a millionth, so that the order of summing makes no difference.
	PricePerHour float64        `json:"pricePerHour"`
	Nodes        []newNode      `json:"nodes"`
	Existing     []existingNode `json:"existing"`
	Waiting      []waitingPod   `json:"waiting"`
	Ignored      []ignoredPod   `json:"ignored"`
	IsTimedOut   bool           `json:"timedOut,omitempty"`
	Solve        *measurement   `json:"solve,omitempty"`
	Runs         int            `json:"runs,omitempty"`
	*variants
	Expected *peerFigures `json:"expected,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

type newNode struct {
	NodePool     string   `json:"nodePool"`
	Types        []string `json:"types"`
	Type         string   `json:"type"`
	Zone         string   `json:"zone"`
	CapacityType string   `json:"capacityType"`
	PricePerHour float64  `json:"pricePerHour"`
	Pods         []string `json:"pods"`
	Requirements []string `json:"requirements"`
}

// existingNode is known by the name of its Node, or of its NodeClaim as long as no registered Node exists.
type existingNode struct {
	Node string   `json:"node"`
	Pods []string `json:"pods"`
}

type waitingPod struct {
	Pod     string `json:"pod"`
	Message string `json:"message"`
	// IsDeferred marks a pod that waits for a reservation: the next pass tries again, and no event is sent.
	IsDeferred bool `json:"deferred,omitempty"`
}

type ignoredPod struct {
	Pod    string `json:"pod"`
	Reason string `json:"reason"`
}

func (p *pass) answer(decided outcome) answer {
	result := answer{
		Name:       p.world.name,
		Nodes:      []newNode{},
		Existing:   existingOf(decided.results),
		Waiting:    waitingOf(decided),
		Ignored:    p.ignored(),
		IsTimedOut: decided.isTimedOut,
		Expected:   p.world.peerFigures,
		Warnings:   slices.Clone(p.world.warnings),
	}
	for _, claim := range decided.results.NewNodeClaims {
		node := newNodeOf(claim)
		result.Nodes = append(result.Nodes, node)
		result.PricePerHour += node.PricePerHour
		if node.Type == "" {
			result.Warnings = append(result.Warnings, fmt.Sprintf("the node for %s has no offering that could launch", node.Pods[0]))
		}
	}
	result.PricePerHour = rounded(result.PricePerHour)
	slices.SortFunc(result.Nodes, func(a, b newNode) int { return cmp.Compare(a.Pods[0], b.Pods[0]) })
	if !p.cluster.Synced(p.context) {
		result.Warnings = append(result.Warnings,
			"cluster state is not synced (a NodeClaim without provider id?): the real controller would wait, this answer leaves it out")
	}
	return result
}

func newNodeOf(claim *scheduling.NodeClaim) newNode {
	priced := launchable(claim)
	result := newNode{
		NodePool:     claim.NodePoolName,
		Types:        make([]string, 0, len(priced)),
		Pods:         namesOf(claim.Pods),
		Requirements: renderedRequirements(claim.Requirements),
	}
	for _, choice := range priced {
		result.Types = append(result.Types, choice.typeName)
	}
	if len(priced) > 0 {
		cheapest := priced[0]
		result.Type, result.Zone = cheapest.typeName, cheapest.zone
		result.CapacityType, result.PricePerHour = cheapest.capacityType, cheapest.price
	}
	return result
}

// choice is the cheapest way to launch one type for a claim.
type choice struct {
	typeName, zone, capacityType string
	price                        float64
}

func compareChoices(a, b choice) int {
	return cmp.Or(
		cmp.Compare(a.price, b.price), cmp.Compare(a.typeName, b.typeName),
		cmp.Compare(a.zone, b.zone), cmp.Compare(a.capacityType, b.capacityType))
}

// launchable gives the claim's types by price, each at its cheapest offering that the claim still allows.
func launchable(claim *scheduling.NodeClaim) []choice {
	var result []choice
	for _, candidate := range claim.InstanceTypeOptions {
		var offers []choice
		for _, offering := range candidate.Offerings {
			if isOpen(offering, claim.Requirements) {
				offers = append(offers, choice{candidate.Name, offering.Zone(), offering.CapacityType(), offering.Price})
			}
		}
		if len(offers) > 0 {
			result = append(result, slices.MinFunc(offers, compareChoices))
		}
	}
	slices.SortFunc(result, compareChoices)
	return result
}

func isOpen(offering *cloudprovider.Offering, wanted requirements.Requirements) bool {
	return offering.Launchable() && wanted.IsCompatible(offering.Requirements, requirements.AllowUndefinedWellKnownLabels)
}

// renderedRequirements writes all values out; the module's own text stops at five. Keys that exist in simulations only
// are left out, as they are when a NodeClaim is written.
func renderedRequirements(wanted requirements.Requirements) []string {
	result := []string{}
	for _, requirement := range wanted.NodeSelectorRequirements() {
		if requirement.Key == karpenter.NodeRegisteredLabelKey || requirement.Key == karpenter.NodeInitializedLabelKey {
			continue
		}
		text := fmt.Sprintf("%s %s", requirement.Key, requirement.Operator)
		if len(requirement.Values) > 0 {
			text += fmt.Sprintf(" [%s]", strings.Join(slices.Sorted(slices.Values(requirement.Values)), ", "))
		}
		if requirement.MinValues != nil {
			text += fmt.Sprintf(" minValues %d", *requirement.MinValues)
		}
		result = append(result, text)
	}
	slices.Sort(result)
	return result
}

func existingOf(results scheduling.Results) []existingNode {
	result := []existingNode{}
	for _, node := range results.ExistingNodes {
		if len(node.Pods) > 0 {
			result = append(result, existingNode{Node: node.Name(), Pods: namesOf(node.Pods)})
		}
	}
	slices.SortFunc(result, func(a, b existingNode) int { return cmp.Compare(a.Node, b.Node) })
	return result
}

func waitingOf(decided outcome) []waitingPod {
	result := []waitingPod{}
	settled := map[string]bool{}
	for pod, err := range decided.results.PodErrors {
		settled[nameOfPod(pod)] = true
		result = append(result, waitingPod{nameOfPod(pod), err.Error(), scheduling.IsReservedOfferingError(err)})
	}
	for _, node := range decided.results.ExistingNodes {
		settle(settled, node.Pods)
	}
	for _, claim := range decided.results.NewNodeClaims {
		settle(settled, claim.Pods)
	}
	for _, pod := range decided.pods {
		if name := nameOfPod(pod); !settled[name] {
			result = append(result, waitingPod{Pod: name, Message: decided.silenceReason()})
		}
	}
	slices.SortFunc(result, func(a, b waitingPod) int { return cmp.Compare(a.Pod, b.Pod) })
	return result
}

func settle(settled map[string]bool, pods []*corev1.Pod) {
	for _, pod := range pods {
		settled[nameOfPod(pod)] = true
	}
}

// silenceReason says why a pod has neither a place nor an error.
func (o outcome) silenceReason() string {
	switch {
	case o.refusal != nil:
		return o.refusal.Error()
	case o.isTimedOut:
		return "not reached before the timeout"
	default:
		return "the solver gave neither a place nor an error"
	}
}

// ignored are the unbound pods that never reached the solver, and why.
func (p *pass) ignored() []ignoredPod {
	result := []ignoredPod{}
	for _, pod := range all[corev1.Pod](p.world.objects) {
		if pod.Spec.NodeName != "" {
			continue
		}
		if !podutils.IsProvisionable(pod) {
			result = append(result, ignoredPod{nameOfPod(pod), "not provisionable"})
			continue
		}
		if err := p.provisioner.Validate(p.context, pod.DeepCopy()); err != nil {
			result = append(result, ignoredPod{nameOfPod(pod), err.Error()})
		}
	}
	slices.SortFunc(result, func(a, b ignoredPod) int { return cmp.Compare(a.Pod, b.Pod) })
	return result
}

func namesOf(pods []*corev1.Pod) []string {
	result := make([]string, 0, len(pods))
	for _, pod := range pods {
		result = append(result, nameOfPod(pod))
	}
	slices.Sort(result)
	return result
}

func nameOfPod(pod *corev1.Pod) string {
	return pod.Namespace + "/" + pod.Name
}
