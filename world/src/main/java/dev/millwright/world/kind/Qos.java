package dev.millwright.world.kind;

import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The class of service of a pod, by its requests and limits for CPU and memory.
final class Qos {

    private Qos() {}

    static String of(Value.Mapping spec) {
        var containers = new ArrayList<Value>(Trees.list(spec, "containers"));
        containers.addAll(Trees.list(spec, "initContainers"));
        var isGuaranteed = true;
        var isBestEffort = true;
        for (var each : containers) {
            if (each instanceof Value.Mapping container) {
                var requests = Trees.mapping(container, "resources", "requests");
                var limits = Trees.mapping(container, "resources", "limits");
                for (var resource : List.of("cpu", "memory")) {
                    var request = requests.fields().get(resource);
                    var limit = limits.fields().get(resource);
                    isBestEffort &= isNone(request) && isNone(limit);
                    isGuaranteed &= !isNone(limit) && Objects.equals(limit, request);
                }
            }
        }
        if (isBestEffort) {
            return "BestEffort";
        }
        return isGuaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean isNone(@Nullable Value amount) {
        return amount == null
                || (amount instanceof Value.Text(_, var text) && text.equals("0"))
                || (amount instanceof Value.Numeral(_, var digits) && digits.equals("0"));
    }
}
