package dev.millwright.kube.conversion.capt;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// CAPT spells the kind of its control plane template so that Cluster API, which takes `Template`
/// off to know what to make of it, asks for a kind that is not there. We serve it in the spelling
/// that works, so both the template and the classes that name it are respelled.
public final class ControlPlaneTemplates {

    public static final String OLD = "CaptControlPlaneTemplate";
    public static final String CURRENT = "CAPTControlPlaneTemplate";

    private static final String GROUP = "controlplane.cluster.x-k8s.io";
    private static final String CORE_GROUP = "cluster.x-k8s.io";

    /// @param places fields of the object before that had the old name
    public record Respelled(Value.Mapping object, List<Field> places) {
        public Respelled {
            places = List.copyOf(places);
        }
    }

    private ControlPlaneTemplates() {}

    /// Whether an object can have the name in it: the template itself, or a class that refers to
    /// it, selects it for a patch, or both.
    public static boolean mayBeNamedIn(String group, String kind) {
        return (group.equals(GROUP) && kind.equals(OLD))
                || (group.equals(CORE_GROUP) && kind.equals("ClusterClass"));
    }

    public static Respelled respelled(Field at, Value.Mapping object) {
        var places = new ArrayList<Field>();
        return new Respelled(mapping(at, object, places), places);
    }

    private static Value.Mapping mapping(Field at, Value.Mapping mapping, List<Field> places) {
        var copy = new LinkedHashMap<String, Value>();
        mapping.fields()
                .forEach((name, value) -> copy.put(name, value(name, at.at(name), value, places)));
        return new Value.Mapping(mapping.position(), copy);
    }

    private static Value value(String name, Field at, Value value, List<Field> places) {
        return switch (value) {
            case Value.Text(var position, var text)
                    when name.equals("kind") && text.equals(OLD) -> {
                places.add(at);
                yield new Value.Text(position, CURRENT);
            }
            case Value.Mapping mapping -> mapping(at, mapping, places);
            case Value.Sequence(var position, var elements) -> {
                var copy = new ArrayList<Value>();
                var fields = at.elements().iterator();
                elements.forEach(each -> copy.add(value("", fields.next(), each, places)));
                yield new Value.Sequence(position, copy);
            }
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> value;
        };
    }
}
