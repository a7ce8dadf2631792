package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/injection"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// silence drops events: nobody here watches them, and the results say the same.
type silence struct{}

func (silence) Publish(...events.Event) {}

// pass is one provisioning pass over a world: cluster state built from its objects, and a provisioner on top.
type pass struct {
	world       *world
	context     context.Context
	client      reader
	clock       clock.Clock
	cluster     *state.Cluster
	provisioner *provisioning.Provisioner
}

// outcome is what a pass decided, in the module's own terms.
type outcome struct {
	results    scheduling.Results
	pods       []*corev1.Pod
	isTimedOut bool
	// refusal says why no scheduler could be made; then every pod waits for this reason.
	refusal error
}

// newPass builds the state a running controller would have by now; none of it counts as time of the pass.
func newPass(w *world, order *rand.Rand) (*pass, error) {
	return newPassOf(w, "provisioner", order, clocktesting.NewFakeClock(w.now))
}

func newPassOf(w *world, controller string, order *rand.Rand, clock clock.Clock) (*pass, error) {
	w.labels.install()
	settings := w.options
	ctx := options.ToContext(injection.WithControllerName(context.Background(), controller), &settings)
	client := reader{store: w.objects, order: order}
	cluster := state.NewCluster(clock, client, w.provider)
	result := &pass{
		world:       w,
		context:     ctx,
		client:      client,
		clock:       clock,
		cluster:     cluster,
		provisioner: provisioning.NewProvisioner(client, silence{}, w.provider, cluster, clock, nil, nil),
	}
	return result, result.hydrate()
}

// hydrate shows cluster state the objects in the order in which their informers depend on each other.
func (p *pass) hydrate() error {
	var claims karpenter.NodeClaimList
	var nodes corev1.NodeList
	var pods corev1.PodList
	var daemons appsv1.DaemonSetList
	if err := errors.Join(
		p.client.List(p.context, &claims), p.client.List(p.context, &nodes),
		p.client.List(p.context, &pods), p.client.List(p.context, &daemons),
	); err != nil {
		return err
	}
	for i := range claims.Items {
		p.cluster.UpdateNodeClaim(&claims.Items[i])
	}
	for i := range nodes.Items {
		if err := p.cluster.UpdateNode(p.context, &nodes.Items[i]); err != nil {
			return fmt.Errorf("node %s: %w", nodes.Items[i].Name, err)
		}
	}
	for i := range pods.Items {
		// A pod may outlive its node; the informer retries in vain as well.
		if err := p.cluster.UpdatePod(p.context, &pods.Items[i]); err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("pod %s/%s: %w", pods.Items[i].Namespace, pods.Items[i].Name, err)
		}
	}
	for i := range daemons.Items {
		if err := p.cluster.UpdateDaemonSet(p.context, &daemons.Items[i]); err != nil {
			return fmt.Errorf("daemonset %s/%s: %w", daemons.Items[i].Namespace, daemons.Items[i].Name, err)
		}
	}
	return nil
}

// run makes one timed pass. A timeout of zero means none.
func (p *pass) run(timeout time.Duration, meter *meter) (outcome, measurement, error) {
	defer meter.close()
	result, scheduler, err := p.construct()
	if err != nil || result.refusal != nil {
		return result, meter.stop(), err
	}
	meter.constructed()
	ctx, cancel := p.context, context.CancelFunc(func() {})
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	result.results, err = scheduler.Solve(ctx, result.pods)
	result.isTimedOut = errors.Is(err, context.DeadlineExceeded)
	if err != nil && !result.isTimedOut {
		return outcome{}, measurement{}, fmt.Errorf("solving: %w", err)
	}
	meter.solved()
	result.results = result.results.TruncateInstanceTypes(p.context, scheduling.MaxInstanceTypes)
	measured := meter.stop()
	runtime.KeepAlive(scheduler)
	return result, measured, nil
}

// construct gathers the pods and builds the scheduler, in the order that lets a pass err towards too little capacity:
// nodes first, then waiting pods, then those that must leave their nodes.
func (p *pass) construct() (outcome, *scheduling.Scheduler, error) {
	nodes := p.cluster.DeepCopyNodes()
	pods, err := p.provisioner.GetPendingPods(p.context)
	if err != nil {
		return outcome{}, nil, fmt.Errorf("gathering pending pods: %w", err)
	}
	leaving, err := nodes.Deleting().CurrentlyReschedulablePods(p.context, p.client, p.clock, silence{})
	if err != nil {
		return outcome{}, nil, fmt.Errorf("gathering pods of deleting nodes: %w", err)
	}
	leavingUIDs := sets.New[types.UID]()
	for _, pod := range leaving {
		leavingUIDs.Insert(pod.UID)
	}
	result := outcome{pods: append(pods, leaving...)}
	settings := []scheduling.Options{
		scheduling.DisableReservedCapacityFallback,
		scheduling.NumConcurrentReconciles(cpuRequestsMilli / 1000),
		scheduling.MinValuesPolicy(p.world.options.MinValuesPolicy),
	}
	if p.world.options.PreferencePolicy == options.PreferencePolicyIgnore {
		settings = append(settings, scheduling.IgnorePreferences)
	}
	scheduler, err := p.provisioner.NewScheduler(p.context, result.pods, nodes.Active(), leavingUIDs, settings...)
	if errors.Is(err, provisioning.ErrNodePoolsNotFound) {
		result.refusal = err
		return result, nil, nil
	}
	if err != nil {
		return outcome{}, nil, fmt.Errorf("constructing the scheduler: %w", err)
	}
	return result, scheduler, nil
}
