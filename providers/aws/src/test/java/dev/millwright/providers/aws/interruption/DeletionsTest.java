package dev.millwright.providers.aws.interruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SqsApi;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@Timeout(240)
final class DeletionsTest {

    private static final String URL = "https://queue";

    /// A queue whose first call waits until it is let go.
    private static final class Queue implements SqsApi {
        private final List<List<String>> calls = new ArrayList<>();
        private final CountDownLatch isCalled = new CountDownLatch(1);
        private final CountDownLatch isLetGo = new CountDownLatch(1);
        private final TreeMap<String, AwsFault> faults = new TreeMap<>();
        private @Nullable AwsFault wholeFault;

        @Override
        public String queueUrl(String name) {
            return URL;
        }

        @Override
        public List<Message> receive(String queueUrl, int max, Duration hidden, Duration wait) {
            return List.of();
        }

        @Override
        public void delete(String queueUrl, String receipt) throws AwsFault {
            called(List.of(receipt));
            isCalled.countDown();
            try {
                isLetGo.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            var fault = faults.get(receipt);
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public SequencedMap<String, AwsFault> deleteAll(String queueUrl, List<String> receipts)
                throws AwsFault {
            called(receipts);
            if (wholeFault != null) {
                throw wholeFault;
            }
            return faults;
        }

        private synchronized void called(List<String> receipts) {
            calls.add(List.copyOf(receipts));
        }

        synchronized List<Integer> sizes() {
            return calls.stream().map(List::size).toList();
        }
    }

    private final Queue queue = new Queue();
    private final Deletions deletions = new Deletions(queue);

    /// One deletion is under way, then these come all at once; what became of each.
    private List<String> storm(int messages) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Void>>();
            all.add(threads.submit(() -> delete("first")));
            queue.isCalled.await();
            for (var number = 0; number < messages; number++) {
                var receipt = "r" + number;
                all.add(threads.submit(() -> delete(receipt)));
            }
            while (deletions.waiting() < messages) {
                Thread.onSpinWait();
            }
            queue.isLetGo.countDown();
            var told = new ArrayList<String>();
            for (var each : all) {
                told.add(answer(each));
            }
            return told;
        }
    }

    private Void delete(String receipt) throws AwsFault {
        deletions.delete(URL, receipt);
        return null;
    }

    private static String answer(Future<Void> deletion) throws InterruptedException {
        try {
            deletion.get();
            return "";
        } catch (ExecutionException failure) {
            return failure.getCause() instanceof AwsFault fault ? fault.code() : "?";
        }
    }

    @Test
    void aMessageAloneIsDeletedAtOnce() throws AwsFault {
        queue.isLetGo.countDown();
        deletions.delete(URL, "a");
        deletions.delete(URL, "b");

        assertThat(queue.calls).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void whatComesMeanwhileGoesTogetherTenAtMost() throws InterruptedException {
        assertThat(storm(25)).hasSize(26).containsOnly("");
        assertThat(queue.sizes()).containsExactly(1, 10, 10, 5);
        assertThat(queue.calls.stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(26);
    }

    @Test
    void whoseMessageStaysHearsItAndNobodyElse() throws InterruptedException {
        queue.faults.put("r3", AwsFault.refused("ReceiptHandleIsInvalid", "old"));

        assertThat(storm(5)).containsExactly("", "", "", "", "ReceiptHandleIsInvalid", "");
    }

    @Test
    void aCallThatFailsIsHeardByAllOfIt() throws InterruptedException {
        queue.wholeFault = AwsFault.refused("AccessDenied", "no");

        assertThat(storm(2)).containsExactly("", "AccessDenied", "AccessDenied");
    }

    @Test
    void aFaultOfOneCallDoesNotStayForTheNext() throws AwsFault {
        queue.isLetGo.countDown();
        queue.faults.put("a", AwsFault.refused("AccessDenied", "no"));
        assertThatThrownBy(() -> deletions.delete(URL, "a")).isInstanceOf(AwsFault.class);
        queue.faults.clear();
        deletions.delete(URL, "a");
    }
}
