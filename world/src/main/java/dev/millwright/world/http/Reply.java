package dev.millwright.world.http;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

/// A code and a body.
record Reply(int code, Value.Mapping body) {

    static Reply of(ApiAnswer answer, int codeWhenDone) {
        return switch (answer) {
            case ApiAnswer.Done(var object) -> new Reply(codeWhenDone, object);
            case ApiAnswer.Refused(var code, var reason, var message) ->
                    failure(code, reason, message);
            case ApiAnswer.Unreachable(var message) -> failure(503, "ServiceUnavailable", message);
        };
    }

    static Reply failure(int code, String reason, String message) {
        return new Reply(
                code,
                Tree.of("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("metadata", Tree.of())
                        .put("status", "Failure")
                        .put("message", message)
                        .put("reason", reason)
                        .put("code", code)
                        .mapping());
    }

    static Reply notFound() {
        return failure(404, "NotFound", "the server could not find the requested resource");
    }
}
