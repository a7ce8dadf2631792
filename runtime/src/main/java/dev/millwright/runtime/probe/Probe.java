package dev.millwright.runtime.probe;

import java.util.List;

/// A probe of several checks, in the text that Kubernetes' own components answer with: `ok`, or one
/// line a check. `?verbose` shows the lines of a success too, `?exclude=NAME` leaves a check out,
/// and below the probe's path each check stands alone.
record Probe(String path, List<Check> checks) {

    Probe {
        checks = List.copyOf(checks);
    }

    Answer answer(Request request) {
        var below = request.path().substring(path.length());
        if (below.isEmpty() || below.equals("/")) {
            return all(request);
        }
        return checks.stream()
                .filter(check -> below.equals("/" + check.name()))
                .findFirst()
                .map(Probe::one)
                .orElseGet(
                        () ->
                                Answer.text(
                                        Answer.NOT_FOUND,
                                        "no check %s; wanted one of %s\n"
                                                .formatted(
                                                        below,
                                                        checks.stream()
                                                                .map(Check::name)
                                                                .toList())));
    }

    private static Answer one(Check check) {
        var problem = check.problemNow();
        return problem == null
                ? Answer.text(Answer.OK, "ok")
                : Answer.text(Answer.FAILED, problem + "\n");
    }

    private Answer all(Request request) {
        var excluded = request.values("exclude");
        var isHealthy = true;
        var lines = new StringBuilder();
        for (var check : checks) {
            if (excluded.contains(check.name())) {
                lines.append("[+]%s excluded: ok\n".formatted(check.name()));
                continue;
            }
            var problem = check.problemNow();
            isHealthy &= problem == null;
            lines.append(
                    problem == null
                            ? "[+]%s ok\n".formatted(check.name())
                            : "[-]%s failed: %s\n".formatted(check.name(), problem));
        }
        if (isHealthy && request.values("verbose").isEmpty()) {
            return Answer.text(Answer.OK, "ok");
        }
        var name = path.substring(1);
        return isHealthy
                ? Answer.text(Answer.OK, lines + name + " check passed\n")
                : Answer.text(Answer.FAILED, lines + name + " check failed\n");
    }
}
