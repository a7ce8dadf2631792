package dev.millwright.kube.conversion.capt;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// The kinds of CAPT in the spelling that is served. Its documents write CAPTMachineDeployment
/// where its definitions say CaptMachineDeployment, and its template of control planes is spelled
/// so that Cluster API, which takes `Template` off to know what to make of it, asks for a kind that
/// is not there.
public final class KindSpellings {

    private static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final String CORE = "cluster.x-k8s.io";

    private static final String CONTROL_PLANE_TEMPLATE = "CAPTControlPlaneTemplate";

    /// As the API server serves them.
    public static final List<String> SERVED =
            List.of(
                    "CAPTCluster",
                    "CAPTClusterTemplate",
                    "CAPTControlPlane",
                    CONTROL_PLANE_TEMPLATE,
                    "CaptMachine",
                    "CaptMachineDeployment",
                    "CaptMachinePool",
                    "CaptMachinePoolTemplate",
                    "CaptMachineSet",
                    "CaptMachineTemplate",
                    "WorkspaceTemplate",
                    "WorkspaceTemplateApply");

    /// @param places fields of the object before that had another spelling
    public record Respelled(Value.Mapping object, List<Place> places) {
        public Respelled {
            places = List.copyOf(places);
        }
    }

    public record Place(Field field, String served) {
        /// Why the other spelling does not do.
        public String reason() {
            return served.equals(CONTROL_PLANE_TEMPLATE)
                    ? "Cluster API makes of it what its name says without Template"
                    : "the API server knows it by this spelling alone";
        }
    }

    private KindSpellings() {}

    /// Whether an object can have such a kind in it: one of CAPT's, or one of Cluster API's that
    /// refers to it.
    public static boolean mayBeNamedIn(String group) {
        return group.equals(INFRASTRUCTURE) || group.equals(CONTROL_PLANE) || group.equals(CORE);
    }

    public static Respelled respelled(Field at, Value.Mapping object) {
        var places = new ArrayList<Place>();
        return new Respelled(mapping(at, object, places), places);
    }

    private static Value.Mapping mapping(Field at, Value.Mapping mapping, List<Place> places) {
        var copy = new LinkedHashMap<String, Value>();
        var isOurs = isOurs(mapping);
        mapping.fields()
                .forEach(
                        (name, value) -> {
                            var served = isOurs && name.equals("kind") ? served(value) : null;
                            if (served == null) {
                                copy.put(name, value(at.at(name), value, places));
                            } else {
                                places.add(new Place(at.at(name), served));
                                copy.put(name, new Value.Text(value.position(), served));
                            }
                        });
        return new Value.Mapping(mapping.position(), copy);
    }

    /// A reference says its group by one field or another; one that says none is believed.
    private static boolean isOurs(Value.Mapping mapping) {
        var version = mapping.text("apiVersion");
        var stated = mapping.text("apiGroup");
        var group = stated == null && version != null ? version.replaceFirst("/.*", "") : stated;
        return group == null || group.equals(INFRASTRUCTURE) || group.equals(CONTROL_PLANE);
    }

    /// Null where the spelling is right, or the kind is none of CAPT's.
    private static @Nullable String served(Value value) {
        if (!(value instanceof Value.Text(_, var text))) {
            return null;
        }
        var lower = text.toLowerCase(Locale.ROOT);
        return SERVED.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).equals(lower))
                .filter(each -> !each.equals(text))
                .findFirst()
                .orElse(null);
    }

    private static Value value(Field at, Value value, List<Place> places) {
        return switch (value) {
            case Value.Mapping mapping -> mapping(at, mapping, places);
            case Value.Sequence(var position, var elements) -> {
                var copy = new ArrayList<Value>();
                var fields = at.elements().iterator();
                elements.forEach(each -> copy.add(value(fields.next(), each, places)));
                yield new Value.Sequence(position, copy);
            }
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> value;
        };
    }
}
