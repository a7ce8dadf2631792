package main

import (
	"context"
	"errors"
	"slices"

	"github.com/awslabs/operatorpkg/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

var errNoCloud = errors.New("there is no cloud behind this program: it solves, it launches nothing")

// provider offers one catalogue to every NodePool and launches nothing.
type provider struct {
	types       []*cloudprovider.InstanceType
	nodeClasses []schema.GroupVersionKind
}

func (p provider) Name() string { return "peer" }

// GetInstanceTypes hands out a list of its own each time, because the solver sorts lists in place.
func (p provider) GetInstanceTypes(context.Context, *karpenter.NodePool) ([]*cloudprovider.InstanceType, error) {
	return slices.Clone(p.types), nil
}

// GetSupportedNodeClasses names every node class the document refers to, so that all of its NodePools count as managed.
func (p provider) GetSupportedNodeClasses() []status.Object {
	result := make([]status.Object, 0, len(p.nodeClasses))
	for _, kind := range p.nodeClasses {
		class := &nodeClass{}
		class.SetGroupVersionKind(kind)
		result = append(result, class)
	}
	return result
}

func (p provider) Create(context.Context, *karpenter.NodeClaim) (*karpenter.NodeClaim, error) {
	return nil, errNoCloud
}

func (p provider) Delete(context.Context, *karpenter.NodeClaim) error { return errNoCloud }

func (p provider) Get(context.Context, string) (*karpenter.NodeClaim, error) { return nil, errNoCloud }

func (p provider) List(context.Context) ([]*karpenter.NodeClaim, error) { return nil, errNoCloud }

func (p provider) IsDrifted(context.Context, *karpenter.NodeClaim) (cloudprovider.DriftReason, error) {
	return "", nil
}

func (p provider) Reboot(context.Context, *karpenter.NodeClaim, string) error { return errNoCloud }

func (p provider) RepairPolicies() []cloudprovider.RepairPolicy { return nil }

// nodeClass stands for a node class of any group and kind: only its kind is ever asked for.
type nodeClass struct {
	unstructured.Unstructured
}

func (n *nodeClass) GetConditions() []status.Condition { return nil }

func (n *nodeClass) SetConditions([]status.Condition) {}

func (n *nodeClass) StatusConditions(options ...status.ForOption) status.ConditionSet {
	return status.NewReadyConditions().For(n, append(options, status.WithObservedOnly())...)
}
