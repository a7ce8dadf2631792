package dev.millwright.core.cluster;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/// What one container asks for. A sidecar is an init container that keeps running.
public record Container(Resources requests, boolean isSidecar) {

    public static Container of(Resources requests) {
        return new Container(requests, false);
    }

    /// Requests as Kubernetes defaults them: a limit without a request is also the request.
    public static Container defaulted(Resources requests, Resources limits, boolean isSidecar) {
        return new Container(limits.overriddenBy(requests), isSidecar);
    }

    /// What a pod of these containers needs of a node, as kube-scheduler counts it, plus its own
    /// pod slot.
    ///
    /// Init containers run one after another beside the sidecars started before them, so only the
    /// largest moment counts. Resources asked for at pod level replace the sum of the containers.
    public static Resources podRequests(
            List<Container> containers,
            List<Container> initContainers,
            @Nullable Resources podLevel,
            Resources overhead) {
        var running = sum(containers);
        var sidecars = Resources.NONE;
        var starting = Resources.NONE;
        for (var init : initContainers) {
            if (init.isSidecar()) {
                running = running.plus(init.requests());
                sidecars = sidecars.plus(init.requests());
                starting = starting.max(sidecars);
            } else {
                starting = starting.max(sidecars.plus(init.requests()));
            }
        }
        var total = running.max(starting);
        if (podLevel != null) {
            total = total.overriddenBy(podLevel);
        }
        return total.plus(overhead).with(Resources.PODS, Quantity.ONE);
    }

    private static Resources sum(Collection<Container> containers) {
        var sum = Resources.NONE;
        for (var container : containers) {
            sum = sum.plus(container.requests());
        }
        return sum;
    }
}
