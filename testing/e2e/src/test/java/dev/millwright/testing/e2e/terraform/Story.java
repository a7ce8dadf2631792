package dev.millwright.testing.e2e.terraform;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// What goes on beside others until a test asks how it ended. Most of an apply is pauses of the
/// provider, which stories wait for together.
final class Story {

    /// What may go wrong in any way.
    interface Course {
        void run() throws Exception;
    }

    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Story() {}

    static Story begin(Course course) {
        var story = new Story();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                course.run();
                                story.end.complete(null);
                            } catch (Exception | AssertionError failure) {
                                story.end.completeExceptionally(failure);
                            }
                        });
        return story;
    }

    /// Returns when all went well.
    void ends() {
        try {
            end.join();
        } catch (CompletionException failure) {
            throw new AssertionError(failure.getCause());
        }
    }
}
