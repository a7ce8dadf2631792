package dev.millwright.runtime.step;

import dev.millwright.kube.client.ApiAnswer;

/// How to go on after a write, in the ways that most steps share.
public final class Answers {

    private Answers() {}

    /// Done goes on; an object that is gone needs nothing more; a conflict is tried again quietly;
    /// all else is a failure.
    public static Step usual(ApiAnswer answer) {
        if (answer.isDone()) {
            return Step.DONE;
        }
        if (answer.isNotFound()) {
            return Step.STOP;
        }
        return answer.isConflict() ? Step.RETRY : Step.failed(answer.explain());
    }

    /// Like [#usual], but for a deletion: an object that is gone is as good as done.
    public static Step deleted(ApiAnswer answer) {
        return answer.isNotFound() ? Step.DONE : usual(answer);
    }
}
