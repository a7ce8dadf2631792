package main

import (
	"encoding/json"
	"math"
	"slices"
)

// variantsMax bounds how many different answers are written out; further ones are counted only.
const variantsMax = 32

// variants are the different answers the peer gave to one document: it breaks ties by the order of maps.
type variants struct {
	Repeats          int              `json:"repeats"`
	PriceMin         float64          `json:"priceMin"`
	PriceMedian      float64          `json:"priceMedian"`
	PriceMax         float64          `json:"priceMax"`
	PricesSeen       []float64        `json:"pricesSeen"`
	NodeCountsSeen   []int            `json:"nodeCountsSeen"`
	ExistingVariants [][]existingNode `json:"existingVariants"`
	// WaitingVariants name pods only: messages hold counts that differ with each run.
	WaitingVariants [][]string  `json:"waitingVariants"`
	NodeVariants    [][]newNode `json:"nodeVariants"`
	// NodeVariantsTotal may be larger than the list, which stops at a bound.
	NodeVariantsTotal int `json:"nodeVariantsTotal"`
}

func variantsOf(answers []answer) *variants {
	result := &variants{Repeats: len(answers), PriceMin: math.Inf(1), PriceMax: math.Inf(-1)}
	var prices []float64
	existing, waiting, nodes := distinct[[]existingNode]{}, distinct[[]string]{}, distinct[[]newNode]{}
	for _, given := range answers {
		price := given.PricePerHour
		result.PriceMin, result.PriceMax = min(result.PriceMin, price), max(result.PriceMax, price)
		prices = append(prices, price)
		result.NodeCountsSeen = append(result.NodeCountsSeen, len(given.Nodes))
		existing.add(given.Existing)
		waiting.add(waitingNames(given.Waiting))
		nodes.add(given.Nodes)
	}
	slices.Sort(prices)
	result.PriceMedian = prices[len(prices)/2]
	slices.Sort(result.NodeCountsSeen)
	result.PricesSeen = slices.Compact(prices)
	result.NodeCountsSeen = slices.Compact(result.NodeCountsSeen)
	result.ExistingVariants, result.WaitingVariants = existing.kept, waiting.kept
	result.NodeVariants, result.NodeVariantsTotal = nodes.kept, len(nodes.seen)
	return result
}

func waitingNames(waiting []waitingPod) []string {
	result := []string{}
	for _, pod := range waiting {
		result = append(result, pod.Pod)
	}
	return result
}

// distinct keeps the first of equal values, up to the bound, in the order they came.
type distinct[T any] struct {
	seen map[string]bool
	kept []T
}

func (d *distinct[T]) add(value T) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // Names and finite numbers always have a text.
	}
	if d.seen[string(text)] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seen[string(text)] = true
	if len(d.kept) < variantsMax {
		d.kept = append(d.kept, value)
	}
}
