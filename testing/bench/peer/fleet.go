package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
)

// fleet is a world in which commands are carried out at once: nodes go, their pods are where the simulation put them,
// and a new node is the cheapest machine that the command allows.
type fleet struct {
	world  *world
	bought int
}

func (f *fleet) price() float64 {
	sum := 0.0
	for _, node := range all[corev1.Node](f.world.objects) {
		kind := f.typeOf(node.Labels[corev1.LabelInstanceTypeStable])
		if kind == nil {
			continue
		}
		price, _ := kind.OfferingPrice(node.Labels[corev1.LabelTopologyZone], node.Labels[karpenter.CapacityTypeLabelKey])
		sum += price
	}
	return sum
}

func (f *fleet) typeOf(name string) *cloudprovider.InstanceType {
	for _, kind := range f.world.provider.types {
		if kind.Name == name {
			return kind
		}
	}
	return nil
}

// carryOut changes the world and adds what happened to the decision.
func (f *fleet) carryOut(command disruption.Command, made *decision) error {
	places := map[types.NamespacedName]string{}
	for _, node := range command.Results.ExistingNodes {
		for _, pod := range node.Pods {
			places[client.ObjectKeyFromObject(pod)] = node.Name()
		}
	}
	var objects []client.Object
	for _, replacement := range command.Replacements {
		choices := launchable(replacement.NodeClaim)
		if len(choices) == 0 {
			return fmt.Errorf("a replacement of %v has no offering that could launch", command.SourceNodeNames())
		}
		f.bought++
		name := fmt.Sprintf("bought-%05d", f.bought)
		objects = append(objects, f.machine(name, choices[0], command.Candidates[0])...)
		for _, pod := range replacement.Pods {
			places[client.ObjectKeyFromObject(pod)] = name
		}
	}
	gone := map[string]bool{}
	for _, candidate := range command.Candidates {
		gone[candidate.Node.Name], gone[candidate.NodeClaim.Name] = true, true
	}
	for kind, rows := range f.world.objects.tables {
		for _, object := range rows.objects {
			pod, isPod := object.(*corev1.Pod)
			isMachine := kind.Name() == "Node" || kind.Name() == "NodeClaim"
			switch {
			case isMachine && gone[object.GetName()]:
			case isPod && gone[pod.Spec.NodeName]:
				place, ok := places[client.ObjectKeyFromObject(pod)]
				if !ok {
					return fmt.Errorf("pod %s has no place after %v", nameOfPod(pod), command.SourceNodeNames())
				}
				moved := pod.DeepCopy()
				moved.Spec.NodeName = place
				objects = append(objects, moved)
				made.PodsMoved++
			default:
				objects = append(objects, object)
			}
		}
	}
	held, err := newStore(objects)
	if err != nil {
		return err
	}
	next := *f.world
	next.objects = held
	f.world = &next
	made.NodesGone += len(command.Candidates)
	made.NodesBought += len(command.Replacements)
	return nil
}

// machine is a node with its claim that are like those of the model but for what was bought.
func (f *fleet) machine(name string, bought choice, model *disruption.Candidate) []client.Object {
	kind := f.typeOf(bought.typeName)
	provided := "peer:///" + name
	node, claim := model.Node.DeepCopy(), model.NodeClaim.DeepCopy()
	for _, object := range []client.Object{node, claim} {
		object.SetName(name)
		object.SetUID(derivedUID("", name))
		labels := object.GetLabels()
		labels[corev1.LabelHostname] = name
		labels[corev1.LabelInstanceTypeStable] = bought.typeName
		labels[corev1.LabelTopologyZone] = bought.zone
		labels[karpenter.CapacityTypeLabelKey] = bought.capacityType
		labels[corev1.LabelArchStable] = kind.Requirements.Get(corev1.LabelArchStable).Any()
		object.SetLabels(labels)
	}
	node.Spec.ProviderID, claim.Status.ProviderID, claim.Status.NodeName = provided, provided, name
	node.Status.Capacity, claim.Status.Capacity = kind.Capacity.DeepCopy(), kind.Capacity.DeepCopy()
	node.Status.Allocatable, claim.Status.Allocatable = kind.Allocatable().DeepCopy(), kind.Allocatable().DeepCopy()
	return []client.Object{node, claim}
}
