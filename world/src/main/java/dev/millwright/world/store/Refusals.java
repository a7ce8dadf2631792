package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.client.ResourceType;

/// How the server says no.
final class Refusals {

    private Refusals() {}

    static Refused notFound(ResourceType type, ObjectName name) {
        return new Refused(404, "NotFound", "%s \"%s\" not found".formatted(type, name.name()));
    }

    static Refused notServed() {
        return new Refused(404, "NotFound", "the server could not find the requested resource");
    }

    static Refused alreadyExists(ResourceType type, ObjectName name) {
        return new Refused(
                409, "AlreadyExists", "%s \"%s\" already exists".formatted(type, name.name()));
    }

    static Refused conflict(ResourceType type, ObjectName name, String why) {
        return new Refused(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type, name.name(), why));
    }

    static Refused modified(ResourceType type, ObjectName name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and"
                        + " try again");
    }

    static Refused otherUid(ResourceType type, ObjectName name, String wanted, String found) {
        return conflict(
                type,
                name,
                "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                        .formatted(wanted, found));
    }

    static Refused invalid(ResourceType type, ObjectName name, String why) {
        return new Refused(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s".formatted(type.kind(), name.name(), why));
    }

    static Refused badRequest(String why) {
        return new Refused(400, "BadRequest", why);
    }

    /// Custom kinds have no merge by keys.
    static Refused unsupportedPatch() {
        return new Refused(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json,"
                        + " application/apply-patch+yaml");
    }

    static Refused unbindable(ObjectName pod, String why) {
        return new Refused(
                409,
                "Conflict",
                "Operation cannot be fulfilled on pods/binding \"%s\": %s"
                        .formatted(pod.name(), why));
    }
}
