package dev.millwright.kube.grant;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/// References to another namespace are followed where a ReferenceGrant there allows them. Grants
/// are read when such a reference is met, so that one that was taken away counts at once.
public final class ReferenceGrants implements ReferencePolicy {

    public static final ResourceType TYPE =
            new ResourceType(
                    "millwright.dev", "v1alpha1", "referencegrants", "ReferenceGrant", true);

    private static final String EVERY_NAMESPACE = "*";
    private static final int PAGE_SIZE = 100;

    private final KubeApi api;

    public ReferenceGrants(KubeApi api) {
        this.api = api;
    }

    @Override
    public @Nullable Refusal judge(From from, To to) {
        if (!from.isForeign(to)) {
            return null;
        }
        var target = to.name();
        if (target.namespace().isEmpty()) {
            // No namespace could grant it, and those of all namespaces must not.
            return new Refusal(
                    "%s names %s %s, which has no namespace, and %s of namespace %s may not refer to it"
                            .formatted(
                                    to.field(), to.kind(), target, from.kind(), from.namespace()),
                    true);
        }
        try {
            var query = new ListQuery(target.namespace(), "", "", PAGE_SIZE, "");
            for (var grant : Pages.all(api, TYPE, query)) {
                if (allows(RawObject.of(grant).spec(), from, to)) {
                    return null;
                }
            }
        } catch (IOException unread) {
            return new Refusal(
                    "%s names %s %s, and the ReferenceGrants of its namespace cannot be read: %s"
                            .formatted(to.field(), to.kind(), target, unread.getMessage()),
                    false);
        }
        return new Refusal(
                "%s names %s %s, and %s of namespace %s may not refer to another namespace; name one of its own, or make a ReferenceGrant in %s"
                        .formatted(
                                to.field(),
                                to.kind(),
                                target,
                                from.kind(),
                                from.namespace(),
                                target.namespace()),
                true);
    }

    private static boolean allows(Field spec, From from, To to) {
        return spec.at("from").elements().stream().anyMatch(each -> isFrom(each, from))
                && spec.at("to").elements().stream().anyMatch(each -> isTo(each, to));
    }

    private static boolean isFrom(Field grant, From from) {
        var namespace = grant.at("namespace").text("");
        return grant.at("group").text("").equals(from.group())
                && grant.at("kind").text("").equals(from.kind())
                && (namespace.equals(EVERY_NAMESPACE) || namespace.equals(from.namespace()));
    }

    /// A grant without a name is for all objects of the kind.
    private static boolean isTo(Field grant, To to) {
        var name = grant.at("name").text("");
        return grant.at("group").text("").equals(to.group())
                && grant.at("kind").text("").equals(to.kind())
                && (name.isEmpty() || name.equals(to.name().name()));
    }
}
