package dev.millwright.kube.translation;

import dev.millwright.core.cluster.Container;
import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Field;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a pod's containers ask of a node.
public final class ContainerTranslation {

    private static final int PORT_MAX = 65_535;

    private ContainerTranslation() {}

    /// The pod's effective requests. The status counts only once the pod is bound: then a container
    /// holds what it was given until a smaller size has taken effect.
    public static Resources requests(Field spec, Field status, boolean isBound) {
        var allocated = isBound ? allocated(status) : Map.<String, Resources>of();
        var containers = containers(spec.at("containers"), allocated);
        var initContainers = containers(spec.at("initContainers"), allocated);
        var requests =
                Container.podRequests(
                        containers,
                        initContainers,
                        podLevel(spec.at("resources"), containers, initContainers),
                        spec.at("overhead").resources());
        if (requests.amounts().containsValue(Quantity.GREATEST)) {
            spec.fault("the containers' requests do not fit a quantity in sum; ask for less");
            return Resources.NONE;
        }
        return requests;
    }

    /// What the pod is limited to, with its own slot, counted as its requests are: a container
    /// without a limit adds nothing. A sandbox's overhead only raises limits that are there.
    public static Resources limits(Field spec) {
        var containers = limited(spec.at("containers"));
        var initContainers = limited(spec.at("initContainers"));
        var podLevel = spec.at("resources").at("limits").resources();
        var limits = Container.podRequests(containers, initContainers, podLevel, Resources.NONE);
        for (var entry : spec.at("overhead").resources().amounts().entrySet()) {
            var name = entry.getKey();
            if (limits.has(name)) {
                limits = limits.with(name, limits.amount(name).plus(entry.getValue()));
            }
        }
        return limits;
    }

    private static List<Container> containers(Field field, Map<String, Resources> allocated) {
        var containers = new ArrayList<Container>();
        for (var element : field.elements()) {
            var resources = element.at("resources");
            var container =
                    Container.defaulted(
                            resources.at("requests").resources(),
                            resources.at("limits").resources(),
                            element.at("restartPolicy").text("").equals("Always"));
            var given = allocated.get(element.at("name").text(""));
            containers.add(
                    given == null
                            ? container
                            : new Container(
                                    container.requests().max(given), container.isSidecar()));
        }
        return containers;
    }

    private static List<Container> limited(Field field) {
        return field.elements().stream()
                .map(
                        element ->
                                new Container(
                                        element.at("resources").at("limits").resources(),
                                        element.at("restartPolicy").text("").equals("Always")))
                .toList();
    }

    private static Map<String, Resources> allocated(Field status) {
        var byName = new HashMap<String, Resources>();
        for (var list : List.of("containerStatuses", "initContainerStatuses")) {
            for (var element : status.at(list).elements()) {
                var allocated = element.at("allocatedResources");
                if (allocated.isPresent()) {
                    byName.put(element.at("name").text(""), allocated.resources());
                }
            }
        }
        return byName;
    }

    /// Requests at pod level. A limit there is also the request, unless some container asks for
    /// that resource itself.
    private static @Nullable Resources podLevel(
            Field field, List<Container> containers, List<Container> initContainers) {
        if (!field.isPresent()) {
            return null;
        }
        var requests = field.at("requests").resources();
        for (var entry : field.at("limits").resources().amounts().entrySet()) {
            var name = entry.getKey();
            var isAskedBelow =
                    containers.stream().anyMatch(each -> each.requests().has(name))
                            || initContainers.stream().anyMatch(each -> each.requests().has(name));
            if (!requests.has(name) && !isAskedBelow) {
                requests = requests.with(name, entry.getValue());
            }
        }
        return requests;
    }

    /// Ports taken on the node. Only regular containers count; on the host's network every port is
    /// one.
    public static List<HostPort> hostPorts(Field spec) {
        var isOnHostNetwork = spec.at("hostNetwork").isTrue();
        var ports = new ArrayList<HostPort>();
        for (var container : spec.at("containers").elements()) {
            for (var port : container.at("ports").elements()) {
                var stated = port.at("hostPort").whole(0, PORT_MAX, 0);
                var number =
                        stated == 0 && isOnHostNetwork
                                ? port.at("containerPort").whole(0, PORT_MAX, 0)
                                : stated;
                if (number > 0) {
                    ports.add(
                            new HostPort(
                                    port.at("hostIP").text(""),
                                    number,
                                    port.at("protocol").text("")));
                }
            }
        }
        return ports;
    }
}
