package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// cpuRequestsMilli is the controller's production default; it gives one scheduling worker.
const cpuRequestsMilli = 1000

// world is one document made ready to be solved: complete objects, a catalogue and the settings of the pass.
type world struct {
	name        string
	objects     *store
	provider    provider
	options     options.Options
	labels      labelRegistry
	now         time.Time
	warnings    []string
	peerFigures *peerFigures
}

// newWorld completes a document. The seed matters to neutral problems alone; see problemUID.
func newWorld(source document, seed uint64) (*world, error) {
	objects, warnings, err := source.objects(seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	priced, err := newCatalogue(source.InstanceTypes, source.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	settings, err := source.Options.settings()
	if err != nil {
		return nil, fmt.Errorf("%s: options: %w", source.Name, err)
	}
	complete := complement(objects)
	held, err := newStore(complete)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	now, err := source.Options.clockTime(complete)
	if err != nil {
		return nil, fmt.Errorf("%s: options: %w", source.Name, err)
	}
	return &world{
		name:        source.Name,
		objects:     held,
		provider:    provider{types: priced.types, nodeClasses: nodeClassKinds(held)},
		options:     settings,
		labels:      newLabelRegistry(priced, source.Options),
		now:         now,
		warnings:    warnings,
		peerFigures: source.Peer,
	}, nil
}

func (d document) objects(seed uint64) ([]client.Object, []string, error) {
	if d.isProblem() {
		objects, err := d.problemObjects(seed)
		return objects, nil, err
	}
	return d.snapshotObjects()
}

// problemObjects are the pods of a neutral problem and the one NodePool it implies.
func (d document) problemObjects(seed uint64) ([]client.Object, error) {
	objects := []client.Object{&karpenter.NodePool{ObjectMeta: metav1.ObjectMeta{Name: "default"}}}
	for _, pod := range d.Pods {
		requests, err := pod.Requests.resources()
		if err != nil {
			return nil, fmt.Errorf("pod %s: %w", pod.Name, err)
		}
		objects = append(objects, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Name:      pod.Name,
				Namespace: metav1.NamespaceDefault,
				Labels:    pod.Labels,
				UID:       problemUID(seed, pod.Name),
			},
			Spec: corev1.PodSpec{
				Affinity:                  pod.Affinity,
				TopologySpreadConstraints: pod.TopologySpreadConstraints,
				Containers: []corev1.Container{{
					Name:      "main",
					Resources: corev1.ResourceRequirements{Requests: requests},
				}},
			},
		})
	}
	return objects, nil
}

// problemUID draws a uid as an API server does: without order. The solver breaks ties between pods of one size by uid,
// so names in sequence would feed it one kind of pod after the other, which shifts prices by two percent.
func problemUID(seed uint64, name string) types.UID {
	digest := sha256.Sum256(fmt.Appendf(nil, "%d/%s", seed, name))
	return types.UID(fmt.Sprintf("%x-%x-%x-%x-%x", digest[0:4], digest[4:6], digest[6:8], digest[8:10], digest[10:16]))
}

// snapshotObjects decodes the items; kinds nobody here knows are named in the warnings, once each.
func (d document) snapshotObjects() ([]client.Object, []string, error) {
	var objects []client.Object
	var warnings []string
	for i, raw := range d.Items {
		var kind metav1.TypeMeta
		if err := json.Unmarshal(raw, &kind); err != nil {
			return nil, nil, fmt.Errorf("item %d: %w", i, err)
		}
		made, err := scheme.Scheme.New(kind.GroupVersionKind())
		if runtime.IsNotRegisteredError(err) {
			warning := fmt.Sprintf("kind %s of %s is unknown and left out", kind.Kind, kind.APIVersion)
			if !slices.Contains(warnings, warning) {
				warnings = append(warnings, warning)
			}
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("item %d: %w", i, err)
		}
		object, ok := made.(client.Object)
		if !ok {
			return nil, nil, fmt.Errorf("item %d: kind %s is not an object; give its items one by one", i, kind.Kind)
		}
		if err := json.Unmarshal(raw, object); err != nil {
			return nil, nil, fmt.Errorf("item %d (%s): %w", i, kind.Kind, err)
		}
		objects = append(objects, object)
	}
	return objects, warnings, nil
}

func (o optionsSpec) settings() (options.Options, error) {
	result := options.Options{
		CPURequests:       cpuRequestsMilli,
		BatchMaxDuration:  10 * time.Second,
		BatchIdleDuration: time.Second,
		PreferencePolicy:  options.PreferencePolicyRespect,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		IgnoreDRARequests: true,
		FeatureGates:      options.DefaultFeatureGates(),
	}
	switch o.PreferencePolicy {
	case "":
	case string(options.PreferencePolicyRespect), string(options.PreferencePolicyIgnore):
		result.PreferencePolicy = options.PreferencePolicy(o.PreferencePolicy)
	default:
		return result, fmt.Errorf("preferencePolicy is %q; wanted Respect or Ignore", o.PreferencePolicy)
	}
	switch o.MinValuesPolicy {
	case "":
	case string(options.MinValuesPolicyStrict), string(options.MinValuesPolicyBestEffort):
		result.MinValuesPolicy = options.MinValuesPolicy(o.MinValuesPolicy)
	default:
		return result, fmt.Errorf("minValuesPolicy is %q; wanted Strict or BestEffort", o.MinValuesPolicy)
	}
	if o.ReservedCapacity != nil {
		result.FeatureGates.ReservedCapacity = *o.ReservedCapacity
	}
	parsed, err := options.ParseSchedulerConfiguration(string(o.SchedulerConfig))
	result.SchedulerConfig = parsed
	return result, err
}

// clockTime is the moment of the pass: the stated one, or that of the newest object, so that nothing lies in the future.
func (o optionsSpec) clockTime(objects []client.Object) (time.Time, error) {
	if o.Now != "" {
		return time.Parse(time.RFC3339, o.Now)
	}
	newest := creationDefault.Time
	for _, object := range objects {
		if created := object.GetCreationTimestamp().Time; created.After(newest) {
			newest = created
		}
	}
	return newest, nil
}

func nodeClassKinds(objects *store) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	add := func(reference *karpenter.NodeClassReference) {
		kind := schema.GroupVersionKind{Group: reference.Group, Version: "v1", Kind: reference.Kind}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for _, pool := range all[karpenter.NodePool](objects) {
		add(pool.Spec.Template.Spec.NodeClassRef)
	}
	for _, claim := range all[karpenter.NodeClaim](objects) {
		add(claim.Spec.NodeClassRef)
	}
	return kinds
}

// labelRegistry is what a provider tells the module about labels when it starts. The module keeps it in package
// variables, so it is put in place before each document and starts from the module's own values each time.
type labelRegistry struct {
	wellKnown          []string
	restrictedDomains  []string
	reservationIDLabel string
}

var (
	wellKnownLabelsOfModule        = karpenter.WellKnownLabels.Clone()
	restrictedLabelDomainsOfModule = karpenter.RestrictedLabelDomains.Clone()
	reservedCapacityLabelsOfModule = cloudprovider.ReservedCapacityLabels.Clone()
)

func newLabelRegistry(priced catalogue, stated optionsSpec) labelRegistry {
	return labelRegistry{
		wellKnown:          stated.WellKnownLabels,
		restrictedDomains:  stated.RestrictedLabelDomains,
		reservationIDLabel: priced.reservationIDLabel,
	}
}

func (l labelRegistry) install() {
	karpenter.WellKnownLabels = wellKnownLabelsOfModule.Clone().Insert(l.wellKnown...)
	karpenter.RestrictedLabelDomains = restrictedLabelDomainsOfModule.Clone().Insert(l.restrictedDomains...)
	cloudprovider.ReservedCapacityLabels = reservedCapacityLabelsOfModule.Clone()
	cloudprovider.ReservationIDLabel = reservationIDLabelDefault
	if l.reservationIDLabel != "" {
		karpenter.WellKnownLabels.Insert(l.reservationIDLabel)
		cloudprovider.ReservedCapacityLabels.Insert(l.reservationIDLabel)
		cloudprovider.ReservationIDLabel = l.reservationIDLabel
	}
}
