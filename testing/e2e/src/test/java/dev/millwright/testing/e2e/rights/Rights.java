package dev.millwright.testing.e2e.rights;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What roles that are bound to one account let it do.
final class Rights {

    private static final Set<String> BINDINGS = Set.of("RoleBinding", "ClusterRoleBinding");

    private Rights() {}

    static List<Right> of(List<RawObject> objects, String account) {
        var rights = new ArrayList<Right>();
        for (var binding : objects) {
            if (BINDINGS.contains(Chart.kind(binding)) && isOf(binding, account)) {
                rights.addAll(ofRole(role(objects, binding), binding.name().namespace()));
            }
        }
        return List.copyOf(rights);
    }

    private static boolean isOf(RawObject binding, String account) {
        return binding.root().at("subjects").elements().stream()
                .anyMatch(subject -> subject.at("name").text("").equals(account));
    }

    private static RawObject role(List<RawObject> objects, RawObject binding) {
        var wanted = binding.root().at("roleRef");
        var namespace = wanted.at("kind").text("").equals("Role") ? binding.name().namespace() : "";
        return objects.stream()
                .filter(each -> Chart.kind(each).equals(wanted.at("kind").text("")))
                .filter(each -> each.name().name().equals(wanted.at("name").text("")))
                .filter(each -> each.name().namespace().equals(namespace))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "%s binds %s %s, which is not rendered"
                                                .formatted(
                                                        binding.name(),
                                                        wanted.at("kind").text(""),
                                                        wanted.at("name").text(""))));
    }

    private static List<Right> ofRole(RawObject role, String namespace) {
        var rights = new ArrayList<Right>();
        for (var rule : role.root().at("rules").elements()) {
            for (var group : rule.at("apiGroups").textList()) {
                for (var resource : rule.at("resources").textList()) {
                    for (var verb : rule.at("verbs").textList()) {
                        for (var name : names(rule)) {
                            rights.add(new Right(verb, group, resource, name, namespace));
                        }
                    }
                }
            }
        }
        return rights;
    }

    private static List<String> names(Field rule) {
        var names = rule.at("resourceNames").textList();
        return names.isEmpty() ? List.of("") : names;
    }
}
