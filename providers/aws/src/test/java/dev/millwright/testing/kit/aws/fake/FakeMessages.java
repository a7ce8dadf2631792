package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi.Message;
import dev.millwright.testing.kit.aws.TestAccount;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The account's queue and what is in it. Who receives does not wait: no message comes meanwhile.
final class FakeMessages {

    private final InstantSource clock;
    private final Deque<Sent> waiting = new ArrayDeque<>();
    private final SequencedMap<String, Hidden> hidden = new LinkedHashMap<>();
    private int numbers;
    private int deleted;

    private record Sent(String id, String body) {}

    private record Hidden(Sent message, Instant until) {}

    FakeMessages(InstantSource clock) {
        this.clock = clock;
    }

    String url(String name) throws AwsFault {
        check(name);
        return "https://sqs.%s.amazonaws.com/%s/%s"
                .formatted(TestAccount.REGION, TestAccount.ACCOUNT, name);
    }

    private static void check(String name) throws AwsFault {
        if (!name.equals(TestAccount.QUEUE)) {
            throw AwsFault.refused("QueueDoesNotExist", "The specified queue does not exist.");
        }
    }

    private static void checkUrl(String url) throws AwsFault {
        check(url.substring(url.lastIndexOf('/') + 1));
    }

    void send(String queue, List<String> bodies) throws AwsFault {
        check(queue);
        for (var body : bodies) {
            waiting.add(new Sent("message-" + ++numbers, body));
        }
    }

    /// In the envelope in which EventBridge hands an event to a queue.
    void publish(String queue, String source, String detailType, Instant at, Tree detail)
            throws AwsFault {
        var event =
                Tree.of("version", "0")
                        .put("id", "event-" + ++numbers)
                        .put("detail-type", detailType)
                        .put("source", source)
                        .put("account", TestAccount.ACCOUNT)
                        .put("time", at.toString())
                        .put("region", TestAccount.REGION)
                        .putTextList("resources", List.of())
                        .put("detail", detail);
        send(queue, List.of(JsonWriter.text(event.mapping())));
    }

    List<Message> receive(String url, int max, Duration hiding) throws AwsFault {
        checkUrl(url);
        bringBack();
        var taken = new ArrayList<Message>();
        while (taken.size() < max && !waiting.isEmpty()) {
            var message = waiting.remove();
            var receipt = "receipt-" + ++numbers;
            hidden.put(receipt, new Hidden(message, clock.instant().plus(hiding)));
            taken.add(new Message(message.id(), receipt, message.body()));
        }
        return taken;
    }

    void delete(String url, String receipt) throws AwsFault {
        checkUrl(url);
        if (hidden.remove(receipt) != null) {
            deleted++;
        }
    }

    TestAccount.Messages count(String queue) throws AwsFault {
        check(queue);
        bringBack();
        return new TestAccount.Messages(waiting.size(), hidden.size(), deleted);
    }

    private void bringBack() {
        var now = clock.instant();
        hidden.sequencedValues().stream()
                .filter(each -> !each.until().isAfter(now))
                .forEach(each -> waiting.add(each.message()));
        hidden.values().removeIf(each -> !each.until().isAfter(now));
    }
}
