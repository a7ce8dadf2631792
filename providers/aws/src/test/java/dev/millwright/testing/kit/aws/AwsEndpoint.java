package dev.millwright.testing.kit.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.sdk.CallListener;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.providers.aws.sdk.SdkSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// AWS for tests: a process that speaks its protocols on loopback, one a JVM, shared by all test
/// classes. A test begins with [#fixture] or [#reset], which take a few milliseconds. Tests of the
/// SDK and of HTTP take it as it is; all others take the [TestAccount] it implements.
/// `testing/aws-endpoint/README.md` says what it does as AWS does, and what not.
public final class AwsEndpoint implements TestAccount {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_WAIT = Duration.ofMillis(1);

    private final EndpointProcess process;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private AwsEndpoint(EndpointProcess process) {
        this.process = process;
    }

    /// Started when first asked for; it ends with the JVM.
    public static AwsEndpoint shared() {
        return Shared.ENDPOINT;
    }

    private static final class Shared {
        private static final AwsEndpoint ENDPOINT = new AwsEndpoint(EndpointProcess.start());
    }

    public URI uri() {
        return process.uri();
    }

    /// How the SDK reaches it: tries again soon, and gives up soon.
    public SdkSettings settings() {
        return SdkSettings.of(REGION, "test")
                .withEndpoint(uri())
                .withKeys(new SdkSettings.Keys("id", "secret"))
                .withTimeout(LIMIT)
                .withAttempts(ATTEMPTS, FIRST_WAIT);
    }

    @Override
    public AccountClients clients() {
        var clients = sdkClients();
        return new AccountClients(clients.apis(), clients::close);
    }

    /// As [#clients()], with what only the SDK's have.
    public SdkClients sdkClients() {
        return new SdkClients(settings(), CallListener.NONE);
    }

    /// Forgets all: resources, faults, counts.
    public void reset() {
        ask("POST", "reset", Tree.of());
    }

    @Override
    public void fixture() {
        ask("POST", "fixture", Tree.of());
    }

    @Override
    public void fixture(String kubernetesVersion) {
        ask("POST", "fixture", Tree.of("kubernetesVersion", kubernetesVersion));
    }

    @Override
    public void fixtureIn(String... zones) {
        ask("POST", "fixture", Tree.of().putTextList("zones", List.of(zones)));
    }

    // What instances do.

    /// New instances are pending for so long.
    public void pendingFor(Duration time) {
        ask("PUT", "settings", Tree.of().put("pendingSeconds", time.toSeconds()));
    }

    /// Ended instances are shutting down for so long.
    public void terminatingFor(Duration time) {
        ask("PUT", "settings", Tree.of().put("terminatingSeconds", time.toSeconds()));
    }

    /// So many DescribeInstances calls overlook a new instance.
    public void hideNewInstances(int calls) {
        ask("PUT", "settings", Tree.of().put("hiddenDescribes", calls));
    }

    public void tellStateChanges(String queue) {
        ask("PUT", "settings", Tree.of("stateChangeQueue", queue));
    }

    @Override
    public void pagesOf(int items) {
        ask("PUT", "settings", Tree.of().put("pageMax", items));
    }

    @Override
    public void advance(Duration time) {
        ask("POST", "clock", Tree.of().put("advanceSeconds", time.toSeconds()));
    }

    /// All that is known of each instance that was ever launched, oldest first.
    public List<Value.Mapping> instances() {
        return mappings(ask("GET", "instances", null), "instances");
    }

    @Override
    public List<String> instanceIds() {
        return instances().stream().map(each -> Objects.requireNonNull(each.text("id"))).toList();
    }

    @Override
    public void change(String instanceId, String state) {
        ask("POST", "instances", Tree.of("instance", instanceId).put("state", state));
    }

    @Override
    public void status(
            String instanceId,
            String instance,
            String system,
            @Nullable Instant impairedSince,
            List<String> eventCodes) {
        var status = Tree.of("instance", instance).put("system", system);
        status.putTextList("events", eventCodes);
        if (impairedSince != null) {
            status.put("impairedSince", impairedSince.toString());
        }
        ask("PUT", "statuses", Tree.of(instanceId, status));
    }

    // What goes wrong.

    @Override
    public void fail(ApiFault... faults) {
        ask("POST", "faults", list("api", Stream.of(faults).map(ApiFault::tree).toList()));
    }

    @Override
    public void refuse(LaunchFault... faults) {
        ask("POST", "faults", list("launch", Stream.of(faults).map(LaunchFault::tree).toList()));
    }

    @Override
    public void noFaults() {
        var none = Tree.of().putList("api", List.of()).putList("launch", List.of());
        ask("PUT", "faults", none);
    }

    // What there is.

    @Override
    public void parameter(String name, @Nullable String value) {
        var tree = Tree.of();
        ask("PUT", "parameters", value == null ? tree.putNothing(name) : tree.put(name, value));
    }

    @Override
    public void freeAddresses(String subnetId, int addresses) {
        ask("PUT", "free-addresses", Tree.of().put(subnetId, addresses));
    }

    @Override
    public void reservations(Tree... reservations) {
        put("capacity-reservations", reservations);
    }

    @Override
    public void placementGroups(Tree... groups) {
        put("placement-groups", groups);
    }

    @Override
    public void images(Tree... images) {
        put("images", images);
    }

    /// Makes roles of IAM, beside those of the fixture.
    public void roles(String... names) {
        var elements =
                Stream.of(names)
                        .<Value>map(name -> new Value.Text(Position.NOWHERE, name))
                        .toList();
        send("POST", "roles", JsonWriter.bytes(Tree.list(elements)));
    }

    @Override
    public void cluster(String name, Tree told) {
        ask("PUT", "clusters", Tree.of(name, told));
    }

    /// What EKS tells of each cluster that somebody makes: endpoint, certificateAuthority.
    public void clusterFacts(Tree told) {
        ask("PUT", "cluster-facts", told);
    }

    /// Where an API server may ask who holds a token that EKS's clients sign.
    public URI tokenReviews() {
        return uri().resolve("/_sim/token-reviews");
    }

    /// All that was made and has a name, as `kind: name`, sorted: roles, policies, queues, rules, …
    public List<String> account() {
        return texts(ask("GET", "account", null), "things");
    }

    @Override
    public void shifts(String arn, Tree... shifts) {
        ask("PUT", "zonal-shifts", list(arn, List.of(shifts)));
    }

    // Messages.

    @Override
    public void event(String queue, String source, String detailType, Instant at, Tree detail) {
        var event = Tree.of("queue", queue).put("source", source).put("detailType", detailType);
        ask("POST", "events", event.put("time", at.toString()).put("detail", detail));
    }

    @Override
    public void messages(String queue, List<String> bodies) {
        ask("POST", "messages", Tree.of("queue", queue).putTextList("bodies", bodies));
    }

    @Override
    public Messages messages(String queue) {
        var answer = ask("GET", "messages?queue=" + URLEncoder.encode(queue, UTF_8), null);
        return new Messages(
                number(answer, "waiting"), number(answer, "hidden"), number(answer, "deleted"));
    }

    // What was asked.

    @Override
    public SequencedMap<String, Integer> calls() {
        var counts = new TreeMap<String, Integer>();
        var answer = ask("GET", "calls", null);
        answer.fields().keySet().forEach(action -> counts.put(action, number(answer, action)));
        return counts;
    }

    /// What callers called themselves.
    public List<String> userAgents() {
        return texts(ask("GET", "callers", null), "agents");
    }

    /// The ids of the access keys that signed requests.
    public List<String> accessKeys() {
        return texts(ask("GET", "callers", null), "keys");
    }

    @Override
    public void forgetCalls() {
        ask("DELETE", "calls", null);
    }

    @Override
    public List<Value.Mapping> requests(String action) {
        return mappings(ask("GET", "requests?action=" + action, null), "requests");
    }

    private void put(String what, Tree... items) {
        var elements = Stream.of(items).map(Tree::mapping).toList();
        send("PUT", what, JsonWriter.bytes(Tree.list(elements)));
    }

    private static Tree list(String name, List<Tree> items) {
        return Tree.of().putList(name, items.stream().map(Tree::mapping).toList());
    }

    private static List<Value.Mapping> mappings(Value.Mapping answer, String field) {
        if (!(answer.fields().get(field) instanceof Value.Sequence(_, var elements))) {
            throw new IllegalStateException("found no list %s in %s".formatted(field, answer));
        }
        return elements.stream().map(Value.Mapping.class::cast).toList();
    }

    private static List<String> texts(Value.Mapping answer, String field) {
        if (!(answer.fields().get(field) instanceof Value.Sequence(_, var elements))) {
            throw new IllegalStateException("found no list %s in %s".formatted(field, answer));
        }
        return elements.stream().map(each -> ((Value.Text) each).text()).toList();
    }

    private static int number(Value.Mapping answer, String field) {
        return answer.fields().get(field) instanceof Value.Numeral(_, var text)
                ? Integer.parseInt(text)
                : 0;
    }

    private Value.Mapping ask(String method, String what, @Nullable Tree body) {
        var bytes = body == null ? new byte[0] : JsonWriter.bytes(body.mapping());
        try {
            return JsonReader.object(send(method, what, bytes));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private byte[] send(String method, String what, byte[] body) {
        var request =
                HttpRequest.newBuilder(uri().resolve("/_sim/" + what))
                        .timeout(LIMIT)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build();
        try {
            var response = http.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(new String(response.body(), UTF_8));
            }
            return response.body();
        } catch (IOException failure) {
            throw new UncheckedIOException(process.condition(), failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the endpoint", failure);
        }
    }
}
