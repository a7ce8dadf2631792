package dev.millwright.capi.tree;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/// What Terraform's state says there is.
public sealed interface StateReading {

    /// In the order of their addresses.
    record Known(List<Resource> resources) implements StateReading {
        public Known {
            resources = resources.stream().sorted(Comparator.comparing(Resource::address)).toList();
        }
    }

    /// Nothing has been built, or nobody keeps the state where we look.
    record None() implements StateReading {}

    /// `why` is for a person, and holds nothing of the state.
    record Unreadable(String why) implements StateReading {}

    /// One object that Terraform built; nothing of what it is like.
    record Resource(String address, boolean isTainted) {}

    /// Finds a Workspace's state.
    @FunctionalInterface
    interface Keeper {
        StateReading of(RawObject workspace);

        /// Knows of no state at all.
        Keeper NOBODY = _ -> new None();
    }

    /// Of a Secret that Terraform's `kubernetes` backend wrote: JSON, packed by gzip.
    static StateReading of(RawObject secret) {
        var packed = secret.root().at("data").at("tfstate").text("");
        if (packed.isEmpty()) {
            return new Unreadable("Secret %s has no key tfstate".formatted(secret.name()));
        }
        try {
            var bytes = Base64.getMimeDecoder().decode(packed);
            var documents = DocumentReader.readAll(Source.bytes("state", bytes));
            return documents.size() == 1 && documents.getFirst() instanceof Value.Mapping state
                    ? new Known(resources(Field.root("state", state, new Faults())))
                    : new Unreadable("Secret %s holds no state".formatted(secret.name()));
        } catch (DocumentException | IllegalArgumentException broken) {
            return new Unreadable("Secret %s holds no state".formatted(secret.name()));
        }
    }

    private static List<Resource> resources(Field state) {
        var resources = new ArrayList<Resource>();
        for (var resource : state.at("resources").elements()) {
            if (!resource.at("mode").text("managed").equals("managed")) {
                continue;
            }
            var module = resource.at("module").text("");
            var address =
                    "%s%s.%s"
                            .formatted(
                                    module.isEmpty() ? "" : module + ".",
                                    resource.at("type").text("?"),
                                    resource.at("name").text("?"));
            for (var instance : resource.at("instances").elements()) {
                resources.add(
                        new Resource(
                                address + index(instance.at("index_key").value()),
                                instance.at("status").text("").equals("tainted")));
            }
        }
        return resources;
    }

    private static String index(@Nullable Value key) {
        if (key instanceof Value.Numeral(_, var number)) {
            return "[" + number + "]";
        }
        return key instanceof Value.Text(_, var text) ? "[\"" + text + "\"]" : "";
    }
}
