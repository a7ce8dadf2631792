package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// reservationIDLabelDefault is the label the AWS provider uses; the core module has none of its own.
const reservationIDLabelDefault = "karpenter.k8s.aws/capacity-reservation-id"

// catalogue is the priced list of machines of one document, and the label keys that only make sense with it.
type catalogue struct {
	types           []*cloudprovider.InstanceType
	wellKnownLabels []string
	// reservationIDLabel is empty when no type has a reserved offering, so that the key stays unknown to the solver.
	reservationIDLabel string
}

func newCatalogue(specs []typeSpec, options optionsSpec) (catalogue, error) {
	result := catalogue{wellKnownLabels: options.WellKnownLabels}
	if slices.ContainsFunc(specs, typeSpec.hasReservedOffering) {
		result.reservationIDLabel = options.ReservationIDLabel
		if result.reservationIDLabel == "" {
			result.reservationIDLabel = reservationIDLabelDefault
		}
	}
	for _, spec := range specs {
		built, err := result.build(spec)
		if err != nil {
			return catalogue{}, fmt.Errorf("instance type %q: %w", spec.Name, err)
		}
		result.types = append(result.types, built)
	}
	return result, nil
}

func (t typeSpec) hasReservedOffering() bool {
	return slices.ContainsFunc(t.Offerings, offeringSpec.isReserved)
}

func (o offeringSpec) isReserved() bool {
	return o.CapacityType == karpenter.CapacityTypeReserved
}

func (c catalogue) build(spec typeSpec) (*cloudprovider.InstanceType, error) {
	capacity, err := spec.Capacity.resources()
	if err != nil {
		return nil, err
	}
	overhead, err := spec.overhead(capacity)
	if err != nil {
		return nil, err
	}
	offerings := make(cloudprovider.Offerings, 0, len(spec.Offerings))
	for _, offering := range spec.Offerings {
		offerings = append(offerings, c.offering(spec.Name, offering))
	}
	return &cloudprovider.InstanceType{
		Name:                   spec.Name,
		Requirements:           c.requirements(spec),
		Offerings:              offerings,
		Capacity:               capacity,
		Overhead:               &cloudprovider.InstanceTypeOverhead{KubeReserved: overhead},
		VolumeAttachmentLimits: spec.VolumeAttachmentLimits,
	}, nil
}

func (c catalogue) requirements(spec typeSpec) scheduling.Requirements {
	var zones, capacityTypes, reservations []string
	for _, offering := range spec.Offerings {
		zones = append(zones, offering.Zone)
		capacityTypes = append(capacityTypes, offering.CapacityType)
		if offering.isReserved() {
			reservations = append(reservations, offering.reservation(spec.Name))
		}
	}
	result := scheduling.NewRequirements(
		in(corev1.LabelInstanceTypeStable, spec.Name),
		in(corev1.LabelArchStable, spec.Arch),
		in(corev1.LabelOSStable, spec.OS...),
		in(corev1.LabelTopologyZone, zones...),
		in(karpenter.CapacityTypeLabelKey, capacityTypes...),
	)
	for key, value := range spec.Labels {
		result.Add(in(key, value))
	}
	if c.reservationIDLabel != "" {
		result.Add(inOrAbsent(c.reservationIDLabel, reservations))
	}
	// The solver reads a well-known key that a type leaves out as "any value"; providers state its absence instead.
	for _, key := range c.wellKnownLabels {
		if !result.Has(key) {
			result.Add(absent(key))
		}
	}
	return result
}

func (c catalogue) offering(typeName string, spec offeringSpec) *cloudprovider.Offering {
	requirements := scheduling.NewRequirements(
		in(corev1.LabelTopologyZone, spec.Zone),
		in(karpenter.CapacityTypeLabelKey, spec.CapacityType),
	)
	if c.reservationIDLabel != "" {
		var reservation []string
		if spec.isReserved() {
			reservation = []string{spec.reservation(typeName)}
		}
		requirements.Add(inOrAbsent(c.reservationIDLabel, reservation))
	}
	return &cloudprovider.Offering{
		Requirements:        requirements,
		Price:               spec.Price,
		Available:           spec.Available == nil || *spec.Available,
		ReservationCapacity: spec.ReservationCapacity,
	}
}

// reservation is the stated id, or one for the type and zone: without an id two reservations would share one ledger entry.
func (o offeringSpec) reservation(typeName string) string {
	if o.ReservationID != "" {
		return o.ReservationID
	}
	return fmt.Sprintf("reservation-%s-%s", typeName, o.Zone)
}

// overhead is capacity minus allocatable. A resource that allocatable leaves out is wholly allocatable.
func (t typeSpec) overhead(capacity corev1.ResourceList) (corev1.ResourceList, error) {
	result := corev1.ResourceList{}
	if t.Allocatable == nil {
		return result, nil
	}
	allocatable, err := t.Allocatable.resources()
	if err != nil {
		return nil, err
	}
	for name, usable := range allocatable {
		reserved := capacity[name].DeepCopy()
		reserved.Sub(usable)
		if !reserved.IsZero() {
			result[name] = reserved
		}
	}
	return result, nil
}

func (s sizeSpec) resources() (corev1.ResourceList, error) {
	result := corev1.ResourceList{}
	if s.CPUMilli != 0 {
		result[corev1.ResourceCPU] = *resource.NewMilliQuantity(s.CPUMilli, resource.DecimalSI)
	}
	if s.MemoryBytes != 0 {
		result[corev1.ResourceMemory] = *resource.NewQuantity(s.MemoryBytes, resource.BinarySI)
	}
	if s.Pods != 0 {
		result[corev1.ResourcePods] = *resource.NewQuantity(s.Pods, resource.DecimalSI)
	}
	for name, text := range s.Resources {
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			return nil, fmt.Errorf("resource %s: quantity %q: %w", name, text, err)
		}
		result[corev1.ResourceName(name)] = quantity
	}
	return result, nil
}

func in(key string, values ...string) *scheduling.Requirement {
	return scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, values...)
}

func absent(key string) *scheduling.Requirement {
	return scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist)
}

func inOrAbsent(key string, values []string) *scheduling.Requirement {
	if len(values) == 0 {
		return absent(key)
	}
	return in(key, values...)
}
