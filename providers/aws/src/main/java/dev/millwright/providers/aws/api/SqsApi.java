package dev.millwright.providers.aws.api;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;

/// What we ask of a queue.
public interface SqsApi {

    /// @param body null when the message has none
    record Message(String id, String receipt, @Nullable String body) {}

    String queueUrl(String name) throws AwsFault;

    /// Waits for messages at most `wait`; each is hidden from others for `hidden`.
    List<Message> receive(String queueUrl, int max, Duration hidden, Duration wait) throws AwsFault;

    void delete(String queueUrl, String receipt) throws AwsFault;

    /// Deletes at most ten messages by one call.
    ///
    /// @return why not, by the receipts of those that could not be deleted
    SequencedMap<String, AwsFault> deleteAll(String queueUrl, List<String> receipts)
            throws AwsFault;
}
