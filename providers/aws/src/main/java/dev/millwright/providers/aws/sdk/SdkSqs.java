package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi;

import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

final class SdkSqs implements SqsApi {

    private static final String ALL = "All";

    private final SqsClient client;

    SdkSqs(SqsClient client) {
        this.client = client;
    }

    @Override
    public String queueUrl(String name) throws AwsFault {
        return Translation.ask(() -> client.getQueueUrl(r -> r.queueName(name))).queueUrl();
    }

    @Override
    public List<Message> receive(String queueUrl, int max, Duration hidden, Duration wait)
            throws AwsFault {
        var answer =
                Translation.ask(
                        () ->
                                client.receiveMessage(
                                        r ->
                                                r.queueUrl(queueUrl)
                                                        .maxNumberOfMessages(max)
                                                        .visibilityTimeout((int) hidden.toSeconds())
                                                        .waitTimeSeconds((int) wait.toSeconds())
                                                        .messageSystemAttributeNames(
                                                                MessageSystemAttributeName
                                                                        .SENT_TIMESTAMP)
                                                        .messageAttributeNames(ALL)));
        return answer.messages().stream()
                .map(found -> new Message(found.messageId(), found.receiptHandle(), found.body()))
                .toList();
    }

    @Override
    public void delete(String queueUrl, String receipt) throws AwsFault {
        Translation.ask(
                () -> client.deleteMessage(r -> r.queueUrl(queueUrl).receiptHandle(receipt)));
    }

    @Override
    public SequencedMap<String, AwsFault> deleteAll(String queueUrl, List<String> receipts)
            throws AwsFault {
        var entries = new ArrayList<DeleteMessageBatchRequestEntry>();
        for (var receipt : receipts) {
            entries.add(
                    DeleteMessageBatchRequestEntry.builder()
                            .id(Integer.toString(entries.size()))
                            .receiptHandle(receipt)
                            .build());
        }
        var answer =
                Translation.ask(
                        () ->
                                client.deleteMessageBatch(
                                        r -> r.queueUrl(queueUrl).entries(entries)));
        var faults = new TreeMap<String, AwsFault>();
        for (var failed : answer.failed()) {
            faults.put(
                    receipts.get(Integer.parseInt(failed.id())),
                    new AwsFault(
                            failed.code(),
                            String.valueOf(failed.message()),
                            !Boolean.TRUE.equals(failed.senderFault()),
                            false));
        }
        return faults;
    }
}
