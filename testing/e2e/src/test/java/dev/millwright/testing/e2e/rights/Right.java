package dev.millwright.testing.e2e.rights;

import dev.millwright.testing.e2e.AuditLog;

/// One verb on one kind of object, as a role grants it.
///
/// @param resource with its subresource; `*` for all of the group
/// @param name of the one object that it is about, else empty
/// @param namespace in which it holds, empty for everywhere
record Right(String verb, String group, String resource, String name, String namespace) {

    private static final String ALL = "*";

    boolean covers(String asked, AuditLog.Subject subject) {
        return verb.equals(asked)
                && group.equals(subject.group())
                && (resource.equals(ALL) || resource.equals(subject.resource()))
                && (name.isEmpty() || name.equals(subject.name()))
                && (namespace.isEmpty() || namespace.equals(subject.namespace()));
    }

    /// How little it allows: of rights that cover a request, the narrowest is the one it needs.
    int narrowness() {
        return (resource.equals(ALL) ? 0 : 1)
                + (namespace.isEmpty() ? 0 : 2)
                + (name.isEmpty() ? 0 : 4);
    }

    /// As a person reads it, the same for every release.
    String text(String release) {
        var named = name.isEmpty() ? "" : " " + name.replace(release + "-cert", "RELEASE-cert");
        return "%s %s%s%s%s"
                .formatted(
                        verb,
                        resource,
                        group.isEmpty() ? "" : "." + group,
                        named,
                        namespace.isEmpty() ? "" : ", in a namespace");
    }
}
