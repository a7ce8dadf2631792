package main

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/awslabs/operatorpkg/status"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// creationDefault is the birthday of objects that state none. It is fixed, because age decides ties.
var creationDefault = metav1.NewTime(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))

// nodeClassDefault is what a NodePool refers to when it names no class; the solver needs one, and none exists here.
var nodeClassDefault = karpenter.NodeClassReference{Group: "karpenter.k8s.aws", Kind: "EC2NodeClass", Name: "default"}

// complement fills in what the API server or the kubelet would have, and what a hand-written document leaves out.
// It changes the objects in place and adds the namespaces in use.
func complement(objects []client.Object) []client.Object {
	for _, object := range objects {
		complementMetadata(object)
	}
	objects = append(objects, missingNamespaces(objects)...)
	uids := map[ownerKey]types.UID{}
	pools := map[string]*karpenter.NodePool{}
	for _, object := range objects {
		uids[keyOf(object)] = object.GetUID()
		if pool, ok := object.(*karpenter.NodePool); ok {
			complementNodePool(pool)
			pools[pool.Name] = pool
		}
	}
	for _, object := range objects {
		complementOwners(object, uids)
		switch typed := object.(type) {
		case *corev1.Pod:
			complementPod(typed)
		case *appsv1.DaemonSet:
			complementPodSpec(&typed.Spec.Template.Spec)
		case *karpenter.NodeClaim:
			complementNodeClaim(typed, pools)
		case *storagev1.StorageClass:
			if typed.VolumeBindingMode == nil {
				mode := storagev1.VolumeBindingImmediate
				typed.VolumeBindingMode = &mode
			}
		}
	}
	complementProviderIDs(objects)
	return objects
}

func complementMetadata(object client.Object) {
	kind := reflect.TypeOf(object).Elem().Name()
	if object.GetNamespace() == "" && isNamespaced(kind) {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	if object.GetUID() == "" {
		object.SetUID(derivedUID(object.GetNamespace(), object.GetName()))
	}
	if created := object.GetCreationTimestamp(); created.IsZero() {
		object.SetCreationTimestamp(creationDefault)
	}
	if namespace, ok := object.(*corev1.Namespace); ok {
		if namespace.Labels == nil {
			namespace.Labels = map[string]string{}
		}
		namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	}
}

func derivedUID(namespace, name string) types.UID {
	return types.UID(fmt.Sprintf("uid-%s-%s", namespace, name))
}

func missingNamespaces(objects []client.Object) []client.Object {
	stated := map[string]bool{}
	for _, object := range objects {
		if namespace, ok := object.(*corev1.Namespace); ok {
			stated[namespace.Name] = true
		}
	}
	var missing []client.Object
	for _, object := range objects {
		if name := object.GetNamespace(); name != "" && !stated[name] {
			stated[name] = true
			namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
			complementMetadata(namespace)
			missing = append(missing, namespace)
		}
	}
	return missing
}

// ownerKey finds an owner by what a reference to it says besides its uid.
type ownerKey struct {
	kind, namespace, name string
}

func keyOf(object client.Object) ownerKey {
	return ownerKey{reflect.TypeOf(object).Elem().Name(), object.GetNamespace(), object.GetName()}
}

func complementOwners(object client.Object, uids map[ownerKey]types.UID) {
	owners := object.GetOwnerReferences()
	for i := range owners {
		if owners[i].UID != "" {
			continue
		}
		key := ownerKey{kind: owners[i].Kind, name: owners[i].Name}
		if isNamespaced(key.kind) {
			key.namespace = object.GetNamespace()
		}
		owners[i].UID = derivedUID(key.namespace, key.name)
		if known, ok := uids[key]; ok {
			owners[i].UID = known
		}
	}
	object.SetOwnerReferences(owners)
}

// complementPod makes every unbound pod one that kube-scheduler gave up on, unless the document states conditions.
func complementPod(pod *corev1.Pod) {
	complementPodSpec(&pod.Spec)
	isBound := pod.Spec.NodeName != ""
	if pod.Status.Phase == "" {
		pod.Status.Phase = corev1.PodPending
		if isBound {
			pod.Status.Phase = corev1.PodRunning
		}
	}
	if !isBound && len(pod.Status.Conditions) == 0 {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type:   corev1.PodScheduled,
			Status: corev1.ConditionFalse,
			Reason: corev1.PodReasonUnschedulable,
		}}
	}
}

// complementPodSpec applies the API server's defaults that scheduling can see.
func complementPodSpec(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			complementContainer(&containers[i], spec.HostNetwork)
		}
	}
}

func complementContainer(container *corev1.Container, isOnHostNetwork bool) {
	for name, limit := range container.Resources.Limits {
		if _, ok := container.Resources.Requests[name]; ok {
			continue
		}
		if container.Resources.Requests == nil {
			container.Resources.Requests = corev1.ResourceList{}
		}
		container.Resources.Requests[name] = limit.DeepCopy()
	}
	for i := range container.Ports {
		port := &container.Ports[i]
		if port.Protocol == "" {
			port.Protocol = corev1.ProtocolTCP
		}
		if isOnHostNetwork && port.HostPort == 0 {
			port.HostPort = port.ContainerPort
		}
	}
}

// complementNodePool names a class and, unless the document says the pool is not ready, makes it ready. The parts of
// readiness must be there too: the module recomputes the whole from them.
func complementNodePool(pool *karpenter.NodePool) {
	if pool.Spec.Template.Spec.NodeClassRef == nil {
		reference := nodeClassDefault
		pool.Spec.Template.Spec.NodeClassRef = &reference
	}
	isUnready := slices.ContainsFunc(pool.Status.Conditions, func(condition status.Condition) bool {
		return condition.Type == status.ConditionReady && !condition.IsTrue()
	})
	if isUnready {
		return
	}
	for _, kind := range []string{
		karpenter.ConditionTypeValidationSucceeded, karpenter.ConditionTypeNodeClassReady, status.ConditionReady,
	} {
		isStated := slices.ContainsFunc(pool.Status.Conditions, func(condition status.Condition) bool {
			return condition.Type == kind
		})
		if !isStated {
			pool.Status.Conditions = append(pool.Status.Conditions, status.Condition{
				Type:               kind,
				Status:             metav1.ConditionTrue,
				Reason:             kind,
				LastTransitionTime: pool.CreationTimestamp,
				ObservedGeneration: pool.Generation,
			})
		}
	}
}

func complementNodeClaim(claim *karpenter.NodeClaim, pools map[string]*karpenter.NodePool) {
	if claim.Spec.NodeClassRef != nil {
		return
	}
	reference := nodeClassDefault
	if pool, ok := pools[claim.Labels[karpenter.NodePoolLabelKey]]; ok {
		reference = *pool.Spec.Template.Spec.NodeClassRef
	}
	claim.Spec.NodeClassRef = &reference
}

// complementProviderIDs joins each claim with its node. Cluster state knows a machine by its provider id alone: it
// leaves out a managed node without one, and takes a claim without one for not yet launched.
func complementProviderIDs(objects []client.Object) {
	nodes := map[string]*corev1.Node{}
	for _, object := range objects {
		if node, ok := object.(*corev1.Node); ok {
			nodes[node.Name] = node
		}
	}
	for _, object := range objects {
		claim, ok := object.(*karpenter.NodeClaim)
		if !ok {
			continue
		}
		node, hasNode := nodes[claim.Status.NodeName]
		isLaunched := hasNode || len(claim.Status.Capacity) > 0 || len(claim.Status.Allocatable) > 0
		if claim.Status.ProviderID == "" && hasNode {
			claim.Status.ProviderID = node.Spec.ProviderID
		}
		if claim.Status.ProviderID == "" && isLaunched {
			claim.Status.ProviderID = "peer:///" + claim.Name
		}
		if hasNode && node.Spec.ProviderID == "" {
			node.Spec.ProviderID = claim.Status.ProviderID
		}
	}
	for _, node := range nodes {
		if node.Spec.ProviderID == "" && node.Labels[karpenter.NodePoolLabelKey] != "" {
			node.Spec.ProviderID = "peer:///" + node.Name
		}
	}
}
