package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// documentBytesMax bounds what is read from one file or one line, so that a wrong path fails instead of filling memory.
const documentBytesMax = 1 << 30

// document is what a file may hold: a neutral problem (`format` 1) or a snapshot (kind List). The two share the
// catalogue, and differ in how they state pods.
type document struct {
	Format        int               `json:"format"`
	Name          string            `json:"name"`
	Kind          string            `json:"kind"`
	Metadata      documentMetadata  `json:"metadata"`
	InstanceTypes []typeSpec        `json:"instanceTypes"`
	Pods          []problemPod      `json:"pods"`
	Items         []json.RawMessage `json:"items"`
	Options       optionsSpec       `json:"options"`
	Peer          *peerFigures      `json:"peer"`
}

type documentMetadata struct {
	Name string `json:"name"`
}

// peerFigures is the answer a neutral problem says the peer gave when the problem was written.
type peerFigures struct {
	Nodes         int     `json:"nodes"`
	PricePerHour  float64 `json:"pricePerHour"`
	Unschedulable int     `json:"unschedulable"`
}

type problemPod struct {
	Name                      string                            `json:"name"`
	Labels                    map[string]string                 `json:"labels"`
	Requests                  sizeSpec                          `json:"requests"`
	TopologySpreadConstraints []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints"`
	Affinity                  *corev1.Affinity                  `json:"affinity"`
}

// sizeSpec is an amount of resources in plain numbers, and by name for all that has no field of its own.
type sizeSpec struct {
	CPUMilli    int64             `json:"cpuMilli"`
	MemoryBytes int64             `json:"memoryBytes"`
	Pods        int64             `json:"pods"`
	Resources   map[string]string `json:"resources"`
}

type typeSpec struct {
	Name                   string            `json:"name"`
	Arch                   string            `json:"arch"`
	OS                     []string          `json:"os"`
	Capacity               sizeSpec          `json:"capacity"`
	Allocatable            *sizeSpec         `json:"allocatable"`
	Labels                 map[string]string `json:"labels"`
	Offerings              []offeringSpec    `json:"offerings"`
	VolumeAttachmentLimits map[string]int    `json:"volumeAttachmentLimits"`
}

type offeringSpec struct {
	Zone                string  `json:"zone"`
	CapacityType        string  `json:"capacityType"`
	Price               float64 `json:"price"`
	Available           *bool   `json:"available"`
	ReservationID       string  `json:"reservationId"`
	ReservationCapacity int     `json:"reservationCapacity"`
}

type optionsSpec struct {
	PreferencePolicy       string          `json:"preferencePolicy"`
	MinValuesPolicy        string          `json:"minValuesPolicy"`
	ReservedCapacity       *bool           `json:"reservedCapacity"`
	WellKnownLabels        []string        `json:"wellKnownLabels"`
	RestrictedLabelDomains []string        `json:"restrictedLabelDomains"`
	ReservationIDLabel     string          `json:"reservationIdLabel"`
	SchedulerConfig        json.RawMessage `json:"schedulerConfig"`
	Now                    string          `json:"now"`
}

// readDocument reads a path, or standard input for "-", unpacking gzip where the bytes say so.
func readDocument(path string) ([]byte, error) {
	if path == "-" {
		return readAll(os.Stdin, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file, path)
}

func readAll(source io.Reader, path string) ([]byte, error) {
	packed, err := io.ReadAll(io.LimitReader(source, documentBytesMax))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if !bytes.HasPrefix(packed, []byte{0x1f, 0x8b}) {
		return packed, nil
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", path, err)
	}
	plain, err := io.ReadAll(io.LimitReader(unpacker, documentBytesMax))
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", path, err)
	}
	return plain, nil
}

// parseDocument decodes a document; nameFallback names it when it does not name itself.
func parseDocument(raw []byte, nameFallback string) (document, error) {
	var parsed document
	if err := json.Unmarshal(raw, &parsed); err != nil {
		return document{}, fmt.Errorf("%s: not a problem or snapshot: %w", nameFallback, err)
	}
	if parsed.Name == "" {
		parsed.Name = parsed.Metadata.Name
	}
	if parsed.Name == "" {
		parsed.Name = nameFallback
	}
	if !parsed.isProblem() && parsed.Kind != "List" {
		return document{}, fmt.Errorf(
			"%s: found format %d and kind %q; wanted format 1 (neutral problem) or kind List (snapshot)",
			parsed.Name, parsed.Format, parsed.Kind)
	}
	return parsed, nil
}

func (d document) isProblem() bool {
	return d.Format == 1
}

func nameOf(path string) string {
	base := filepath.Base(path)
	for _, suffix := range []string{".gz", ".json"} {
		base = strings.TrimSuffix(base, suffix)
	}
	return base
}
