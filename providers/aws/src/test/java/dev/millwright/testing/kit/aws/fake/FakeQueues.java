package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi;

import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// SQS of a [FakeAccount].
final class FakeQueues implements SqsApi {

    private final Supplier<FakeState> state;

    FakeQueues(Supplier<FakeState> state) {
        this.state = state;
    }

    private FakeCalls calls() {
        return state.get().calls();
    }

    private FakeMessages messages() {
        return state.get().messages();
    }

    @Override
    public String queueUrl(String name) throws AwsFault {
        return calls().ask("GetQueueUrl", Tree.of("QueueName", name), () -> messages().url(name));
    }

    @Override
    public List<Message> receive(String queueUrl, int max, Duration hidden, Duration wait)
            throws AwsFault {
        var request =
                Tree.of("QueueUrl", queueUrl)
                        .put("MaxNumberOfMessages", max)
                        .put("VisibilityTimeout", hidden.toSeconds())
                        .put("WaitTimeSeconds", wait.toSeconds());
        return calls().ask(
                        "ReceiveMessage", request, () -> messages().receive(queueUrl, max, hidden));
    }

    @Override
    public void delete(String queueUrl, String receipt) throws AwsFault {
        calls().run(
                        "DeleteMessage",
                        Tree.of("QueueUrl", queueUrl).put("ReceiptHandle", receipt),
                        () -> messages().delete(queueUrl, receipt));
    }

    @Override
    public SequencedMap<String, AwsFault> deleteAll(String queueUrl, List<String> receipts)
            throws AwsFault {
        calls().run(
                        "DeleteMessageBatch",
                        Tree.of("QueueUrl", queueUrl).putTextList("Entries", receipts),
                        () -> {
                            for (var receipt : receipts) {
                                messages().delete(queueUrl, receipt);
                            }
                        });
        return new TreeMap<>();
    }
}
