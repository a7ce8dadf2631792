package dev.millwright.providers.aws.interruption;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Deletes messages of one queue. While one call is under way the next ones gather, and go together
/// in the call after it: nobody waits longer for that, and a storm takes a tenth of the calls.
final class Deletions {

    private static final int MESSAGES_MAX = 10;

    private final SqsApi queue;
    private final ReentrantLock calling = new ReentrantLock(true);
    private final ArrayDeque<Wanted> waiting = new ArrayDeque<>();

    /// Written by whoever calls for it, read by whoever wants it, both with the lock.
    private static final class Wanted {
        private final String receipt;
        private boolean isAnswered;
        private @Nullable AwsFault fault;

        Wanted(String receipt) {
            this.receipt = receipt;
        }
    }

    Deletions(SqsApi queue) {
        this.queue = queue;
    }

    /// Returns once the message is deleted.
    void delete(String queueUrl, String receipt) throws AwsFault {
        var wanted = new Wanted(receipt);
        synchronized (waiting) {
            waiting.add(wanted);
        }
        calling.lock();
        try {
            while (!wanted.isAnswered) {
                call(queueUrl);
            }
        } finally {
            calling.unlock();
        }
        if (wanted.fault != null) {
            throw wanted.fault;
        }
    }

    /// How many gather while a call is under way.
    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    private void call(String queueUrl) {
        var batch = gathered();
        try {
            if (batch.size() == 1) {
                queue.delete(queueUrl, batch.getFirst().receipt);
                return;
            }
            var faults =
                    queue.deleteAll(
                            queueUrl, batch.stream().map(wanted -> wanted.receipt).toList());
            batch.forEach(wanted -> wanted.fault = faults.get(wanted.receipt));
        } catch (AwsFault fault) {
            batch.forEach(wanted -> wanted.fault = fault);
        } finally {
            // Also after what nobody expects: others must not wait for an answer for ever.
            batch.forEach(wanted -> wanted.isAnswered = true);
        }
    }

    private List<Wanted> gathered() {
        var batch = new ArrayList<Wanted>();
        synchronized (waiting) {
            while (batch.size() < MESSAGES_MAX && !waiting.isEmpty()) {
                batch.add(waiting.remove());
            }
        }
        return batch;
    }
}
