package dev.millwright.controllers.settings;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.SpreadConstraint.Inclusion;
import dev.millwright.core.label.LabelSyntax;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The part of kube-scheduler's configuration that plans must mirror: default spread constraints.
///
/// It is read strictly. A constraint that kube-scheduler would refuse, or would read otherwise,
/// must not let plans and scheduler part ways silently.
final class SchedulerConfig {

    private static final List<String> FIELDS = List.of("podTopologySpread");
    private static final List<String> SPREAD_FIELDS = List.of("defaultConstraints");
    private static final List<String> CONSTRAINT_FIELDS =
            List.of(
                    "labelSelector",
                    "matchLabelKeys",
                    "maxSkew",
                    "minDomains",
                    "nodeAffinityPolicy",
                    "nodeTaintsPolicy",
                    "topologyKey",
                    "whenUnsatisfiable");

    private SchedulerConfig() {}

    /// The constraints of a text, none for an empty one; what is wrong goes to `faults`.
    static List<SpreadConstraint> read(String source, String text, Consumer<String> faults) {
        if (text.isEmpty()) {
            return List.of();
        }
        try {
            var documents = new Documents();
            DocumentReader.read(Source.text(source, text), documents);
            if (documents.all.size() > 1) {
                faults.accept(
                        "%s: found %d documents; wanted one"
                                .formatted(source, documents.all.size()));
            }
            return documents.all.isEmpty() ? List.of() : constraints(documents.all.getFirst());
        } catch (DocumentException wrong) {
            wrong.faults().stream().map(Fault::toString).forEach(faults);
            return List.of();
        }
    }

    private static List<SpreadConstraint> constraints(Value document) {
        var faults = new Faults();
        var root = Field.root("", document, faults);
        refuseUnknown(root, FIELDS);
        var spread = root.at("podTopologySpread");
        refuseUnknown(spread, SPREAD_FIELDS);
        var constraints = new ArrayList<SpreadConstraint>();
        var seen = new TreeMap<String, Integer>();
        var elements = spread.at("defaultConstraints").elements();
        for (var index = 0; index < elements.size(); index++) {
            var element = elements.get(index);
            var constraint = constraint(element);
            if (constraint != null) {
                var pair = "%s, %s".formatted(constraint.topologyKey(), unsatisfiable(constraint));
                var earlier = seen.putIfAbsent(pair, index);
                if (earlier != null) {
                    element.fault(
                            "repeats (%s) of [%d]; leave one of them out".formatted(pair, earlier));
                }
                constraints.add(constraint);
            }
        }
        faults.throwIfAny();
        return constraints;
    }

    private static void refuseUnknown(Field mapping, List<String> known) {
        if (!mapping.isPresent()) {
            return;
        }
        mapping.entries()
                .forEach(
                        (name, field) -> {
                            if (!known.contains(name)) {
                                field.fault(
                                        "is unknown; wanted %s"
                                                .formatted(String.join(", ", known)));
                            }
                        });
    }

    private static @Nullable SpreadConstraint constraint(Field field) {
        if (!field.isPresent()) {
            field.missing("a constraint");
            return null;
        }
        refuseUnknown(field, CONSTRAINT_FIELDS);
        if (field.at("labelSelector").isPresent()) {
            field.at("labelSelector")
                    .fault("must not be set: selectors are deduced for each pod; leave it out");
        }
        if (!field.at("matchLabelKeys").textList().isEmpty()) {
            field.at("matchLabelKeys")
                    .fault("must not be set: default constraints ignore it; leave it out");
        }
        var maxSkew = maxSkew(field.at("maxSkew"));
        var key = topologyKey(field.at("topologyKey"));
        var isHard = isHard(field.at("whenUnsatisfiable"));
        var minDomains = field.at("minDomains").whole(1, Integer.MAX_VALUE, 0);
        var taints = inclusion(field.at("nodeTaintsPolicy"), Inclusion.IGNORE);
        var affinity = inclusion(field.at("nodeAffinityPolicy"), Inclusion.HONOR);
        if (maxSkew < 1 || key == null || isHard == null) {
            return null;
        }
        return SpreadConstraint.of(key, maxSkew, isHard, null)
                .withMinDomains(minDomains == 0 ? null : minDomains)
                .withPolicies(taints, affinity);
    }

    private static int maxSkew(Field field) {
        if (!field.isPresent()) {
            field.missing("a whole number of at least 1");
        }
        return field.whole(1, Integer.MAX_VALUE, 0);
    }

    private static @Nullable String topologyKey(Field field) {
        var key = field.requiredText("a label key such as topology.kubernetes.io/zone");
        if (key.isEmpty()) {
            return null;
        }
        if (!LabelSyntax.isQualifiedName(key)) {
            field.fault(
                    "found \"%s\"; wanted a label key such as topology.kubernetes.io/zone"
                            .formatted(Shortened.of(key)));
            return null;
        }
        return key;
    }

    private static @Nullable Boolean isHard(Field field) {
        var text = field.requiredText("DoNotSchedule or ScheduleAnyway");
        return switch (text) {
            case "DoNotSchedule" -> true;
            case "ScheduleAnyway" -> false;
            case "" -> null; // Told already.
            default -> {
                field.fault(
                        "found \"%s\"; wanted DoNotSchedule or ScheduleAnyway"
                                .formatted(Shortened.of(text)));
                yield null;
            }
        };
    }

    private static String unsatisfiable(SpreadConstraint constraint) {
        return constraint.isHard() ? "DoNotSchedule" : "ScheduleAnyway";
    }

    private static Inclusion inclusion(Field field, Inclusion fallback) {
        return switch (field.text()) {
            case null -> fallback;
            case "Honor" -> Inclusion.HONOR;
            case "Ignore" -> Inclusion.IGNORE;
            case String text -> {
                field.fault("found \"%s\"; wanted Honor or Ignore".formatted(Shortened.of(text)));
                yield fallback;
            }
        };
    }

    /// Keeps every document of the text.
    private static final class Documents implements DocumentSink {
        private final List<Value> all = new ArrayList<>();

        @Override
        public boolean isStreamed(String field) {
            return false;
        }

        @Override
        public void element(String field, Value element) {
            throw new IllegalStateException("no list is streamed, yet an element came");
        }

        @Override
        public void document(Value document) {
            all.add(document);
        }
    }
}
