package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
)

const (
	// quickDecision is what a decision may take to be measured three times.
	quickDecision = 10 * time.Second
	quickRuns     = 3
)

// consolidated is the answer about one fleet: what the first decision cost, and where decisions led until there was
// no command any more, or no time.
type consolidated struct {
	Name         string      `json:"name"`
	Nodes        int         `json:"nodes"`
	Pods         int         `json:"pods"`
	PricePerHour float64     `json:"pricePerHour"`
	First        measurement `json:"first"`
	// IsFirstTimedOut says that the first decision gave up in one of the methods: its cost is a lower bound.
	IsFirstTimedOut bool `json:"firstTimedOut"`
	Runs            int  `json:"runs"`
	// Passes are all decisions in turn; the last one found nothing unless the time was up.
	Passes []decision `json:"passes"`
	Final  fleetState `json:"final"`
	// IsCut says that there was no time to go on; IsTimedOut that the last decision gave up before it had looked at all.
	IsCut      bool `json:"cut"`
	IsTimedOut bool `json:"timedOut"`
}

type fleetState struct {
	Nodes        int     `json:"nodes"`
	PricePerHour float64 `json:"pricePerHour"`
	PodsMoved    int     `json:"podsMoved"`
	NodesGone    int     `json:"nodesGone"`
	NodesBought  int     `json:"nodesBought"`
	CPUMillis    float64 `json:"cpuMillis"`
	WallMillis   float64 `json:"wallMillis"`
}

// decision is one pass of the methods, until one of them had a command.
type decision struct {
	Method       string         `json:"method,omitempty"`
	NodesGone    int            `json:"nodesGone"`
	NodesBought  int            `json:"nodesBought"`
	PodsMoved    int            `json:"podsMoved"`
	PricePerHour float64        `json:"pricePerHour"`
	Methods      []methodEffort `json:"methods"`
	CPUMillis    float64        `json:"cpuMillis"`
	WallMillis   float64        `json:"wallMillis"`
	commands     []disruption.Command
}

type methodEffort struct {
	Name       string  `json:"name"`
	CPUMillis  float64 `json:"cpuMillis"`
	WallMillis float64 `json:"wallMillis"`
	IsTimedOut bool    `json:"timedOut,omitempty"`
}

// tickingClock goes on from the moment of the document, so that the module's own limits of time hold.
type tickingClock struct {
	clock.RealClock
	ahead time.Duration
}

func (c tickingClock) Now() time.Time { return c.RealClock.Now().Add(c.ahead) }

func (c tickingClock) Since(moment time.Time) time.Duration { return c.Now().Sub(moment) }

// credulous takes each command as it is. The controller waits fifteen seconds and simulates once more; on a fleet that
// stands still that changes nothing.
type credulous struct{}

func (credulous) Validate(_ context.Context, command disruption.Command, _ time.Duration) (disruption.Command, error) {
	return command, nil
}

func (s settings) consolidate(raw []byte, name string) (consolidated, error) {
	begun := time.Now()
	parsed, err := parseDocument(raw, name)
	if err != nil {
		return consolidated{}, err
	}
	standing, err := newWorld(parsed, s.seed)
	if err != nil {
		return consolidated{}, err
	}
	running := &fleet{world: standing}
	result := consolidated{
		Name:         parsed.Name,
		Nodes:        len(all[karpenter.NodeClaim](standing.objects)),
		Pods:         len(all[corev1.Pod](standing.objects)),
		PricePerHour: rounded(running.price()),
	}
	if err := result.measureFirst(standing); err != nil {
		return consolidated{}, err
	}
	for {
		made, _, err := decideOnce(running.world, true)
		if err != nil {
			return consolidated{}, fmt.Errorf("%s: pass %d: %w", parsed.Name, len(result.Passes)+1, err)
		}
		for _, command := range made.commands {
			if err := running.carryOut(command, &made); err != nil {
				return consolidated{}, fmt.Errorf("%s: pass %d: %w", parsed.Name, len(result.Passes)+1, err)
			}
		}
		made.PricePerHour = rounded(running.price())
		result.add(made)
		if len(made.commands) == 0 {
			result.IsTimedOut = made.isTimedOut()
			break
		}
		if time.Since(begun) > s.limit {
			result.IsCut = true
			break
		}
	}
	result.Final.Nodes = len(all[karpenter.NodeClaim](running.world.objects))
	result.Final.PricePerHour = rounded(running.price())
	return result, nil
}

func (c *consolidated) add(made decision) {
	c.Passes = append(c.Passes, made)
	c.Final.PodsMoved += made.PodsMoved
	c.Final.NodesGone += made.NodesGone
	c.Final.NodesBought += made.NodesBought
	c.Final.CPUMillis = rounded(c.Final.CPUMillis + made.CPUMillis)
	c.Final.WallMillis = rounded(c.Final.WallMillis + made.WallMillis)
}

// measureFirst measures the decision on the fleet as it stands, thrice if it is quick.
func (c *consolidated) measureFirst(standing *world) error {
	var measured []measurement
	for {
		made, cost, err := decideOnce(standing, false)
		if err != nil {
			return fmt.Errorf("%s: %w", standing.name, err)
		}
		measured = append(measured, cost)
		c.IsFirstTimedOut = c.IsFirstTimedOut || made.isTimedOut()
		if len(measured) == quickRuns || cost.WallMillis > millis(quickDecision) {
			c.First, c.Runs = medianOf(measured), len(measured)
			return nil
		}
	}
}

// decideOnce builds cluster state, which counts as nobody's time, and makes one decision.
func decideOnce(standing *world, isHurried bool) (decision, measurement, error) {
	built, err := newPassOf(standing, "disruption", nil, tickingClock{ahead: time.Until(standing.now)})
	if err != nil {
		return decision{}, measurement{}, err
	}
	maker := newDecisionMaker(built)
	meter := startMeter(isHurried)
	defer meter.close()
	made, err := maker.decide()
	cost := meter.stop()
	made.CPUMillis, made.WallMillis = rounded(cost.CPUMillis), rounded(cost.WallMillis)
	return made, cost, err
}

// decisionMaker asks the methods of consolidation in the controller's order.
type decisionMaker struct {
	*pass
	queue   *disruption.Queue
	methods []disruption.Method
}

func newDecisionMaker(built *pass) decisionMaker {
	queue := disruption.NewQueue(built.client, silence{}, built.cluster, built.clock, built.provisioner)
	common := disruption.MakeConsolidation(
		built.clock, built.cluster, built.client, built.provisioner, built.world.provider, silence{}, queue)
	validator := disruption.WithValidator(credulous{})
	return decisionMaker{
		pass:  built,
		queue: queue,
		methods: []disruption.Method{
			disruption.NewEmptiness(common, validator),
			disruption.NewMultiNodeConsolidation(common, validator),
			disruption.NewSingleNodeConsolidation(common, validator),
		},
	}
}

func (m decisionMaker) decide() (decision, error) {
	var result decision
	for _, method := range m.methods {
		begun := now()
		commands, err := m.ask(method)
		if err != nil {
			return result, fmt.Errorf("%s: %w", method.ConsolidationType(), err)
		}
		ended := now()
		wall := ended.wall.Sub(begun.wall)
		result.Methods = append(result.Methods, methodEffort{
			Name:       method.ConsolidationType(),
			CPUMillis:  rounded(millis(ended.cpu - begun.cpu)),
			WallMillis: rounded(millis(wall)),
			IsTimedOut: wall >= timeLimit(method),
		})
		if len(commands) > 0 {
			result.Method = method.ConsolidationType()
			result.commands = commands
			return result, nil
		}
	}
	return result, nil
}

func (m decisionMaker) ask(method disruption.Method) ([]disruption.Command, error) {
	provider := m.world.provider
	candidates, totals, err := disruption.GetCandidatesWithTotals(m.context, m.cluster, m.client, silence{}, m.clock,
		provider, method.ShouldDisrupt, method.Class(), m.queue, nil)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	if balanced, ok := method.(disruption.NodePoolTotalsSetter); ok {
		balanced.SetNodePoolTotals(totals)
	}
	budgets, err := disruption.BuildDisruptionBudgetMapping(
		m.context, m.cluster, m.clock, m.client, provider, silence{}, method.Reason())
	if err != nil {
		return nil, err
	}
	commands, err := method.ComputeCommands(m.context, budgets, candidates...)
	var real []disruption.Command
	for _, command := range commands {
		if command.Decision() != disruption.NoOpDecision {
			real = append(real, command)
		}
	}
	return real, err
}

// timeLimit is after how long a method gives up by itself.
func timeLimit(method disruption.Method) time.Duration {
	switch method.(type) {
	case *disruption.MultiNodeConsolidation:
		return disruption.MultiNodeConsolidationTimeoutDuration
	case *disruption.SingleNodeConsolidation:
		return disruption.SingleNodeConsolidationTimeoutDuration
	default:
		return time.Hour
	}
}

func (d decision) isTimedOut() bool {
	for _, effort := range d.Methods {
		if effort.IsTimedOut {
			return true
		}
	}
	return false
}
