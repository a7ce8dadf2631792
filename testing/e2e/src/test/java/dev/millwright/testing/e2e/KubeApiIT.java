package dev.millwright.testing.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.EventRecorder;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// What the port promises, on a real API server.
final class KubeApiIT {

    private static final ResourceType CONFIG_MAP =
            new ResourceType("", "v1", "configmaps", "ConfigMap", true);
    private static final ResourceType SERVICE_ACCOUNT =
            new ResourceType("", "v1", "serviceaccounts", "ServiceAccount", true);
    private static final ResourceType NOBODYS =
            new ResourceType("nobody.example", "v1", "things", "Thing", true);

    private static ControlPlane controlPlane;
    private static HttpKubeApi api;

    private String namespace;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly());
        api = open(KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()));
    }

    @AfterAll
    static void close() {
        api.close();
        controlPlane.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = controlPlane.createNamespace();
    }

    private static HttpKubeApi open(KubeAccess access) {
        return HttpKubeApi.open(access, ApiSettings.of("it", 200, 300), RequestObserver.NONE);
    }

    private ObjectName in(String name) {
        return new ObjectName(namespace, name);
    }

    private static Value.Mapping done(ApiAnswer answer) {
        assertThat(answer).as(answer.explain()).isInstanceOf(ApiAnswer.Done.class);
        return ((ApiAnswer.Done) answer).object();
    }

    private Value.Mapping configMap(String name, Map<String, String> labels) {
        return Tree.of("metadata", Tree.of("name", name).putTexts("labels", labels))
                .put("data", Tree.of("a", "1"))
                .mapping();
    }

    private Value.Mapping create(ResourceType type, Value.Mapping body) {
        return done(api.write(new ApiWrite.Create(type, namespace, body)));
    }

    private static ApiAnswer patch(
            ResourceType type, ObjectName name, PatchKind kind, Subresource part, Value body) {
        return api.write(new ApiWrite.Patch(type, name, kind, part, body));
    }

    private ApiAnswer merge(String name, Tree body) {
        return patch(CONFIG_MAP, in(name), PatchKind.MERGE, Subresource.NONE, body.mapping());
    }

    @Test
    void anObjectIsMadeReadChangedAndDeleted() {
        var made = create(CONFIG_MAP, configMap("a", Map.of()));
        assertThat(api.write(new ApiWrite.Create(CONFIG_MAP, namespace, configMap("a", Map.of()))))
                .satisfies(answer -> assertThat(answer.isConflict()).isTrue());
        assertThat(done(api.read(CONFIG_MAP, in("a")))).isEqualTo(made);

        var changed = done(merge("a", Tree.of("data", Tree.of("b", "ü \"2\"").putNothing("a"))));
        assertThat(changed.fields().get("data")).isEqualTo(Tree.of("b", "ü \"2\"").mapping());

        var other = new ApiWrite.Delete(CONFIG_MAP, in("a"), "another-uid", null);
        assertThat(api.write(other).isConflict()).isTrue();
        var uid = Metadata.of(made).uid();
        assertThat(api.write(new ApiWrite.Delete(CONFIG_MAP, in("a"), uid, null)).isDone())
                .isTrue();
        assertThat(api.read(CONFIG_MAP, in("a")).isNotFound()).isTrue();
    }

    @Test
    void aPatchMadeFromAnOldVersionIsAConflict() {
        var made = create(CONFIG_MAP, configMap("a", Map.of()));
        assertThat(merge("a", Tree.of("data", Tree.of("a", "2"))).isDone()).isTrue();

        var late =
                merge(
                        "a",
                        Tree.of(
                                        "metadata",
                                        Tree.of(
                                                "resourceVersion",
                                                Metadata.of(made).resourceVersion()))
                                .put("data", Tree.of("a", "3")));

        assertThat(late.isConflict()).as(late.explain()).isTrue();
    }

    @Test
    void everyKindOfPatchAndTheStatusReachTheirParts() {
        var node = new ObjectName("", namespace + "-node");
        create(ResourceType.NODE, Tree.of("metadata", Tree.of("name", node.name())).mapping());

        var status =
                Tree.of("status", Tree.of("capacity", Tree.of("cpu", "2")))
                        .put("spec", Tree.of("providerID", "not-by-status"))
                        .mapping();
        var taint = Tree.of("key", "a").put("effect", "NoSchedule").mapping();
        var strategic = Tree.of("spec", Tree.of().putList("taints", List.of(taint))).mapping();
        var json =
                Tree.list(
                        List.of(
                                Tree.of("op", "add")
                                        .put("path", "/metadata/labels")
                                        .put("value", Tree.of("x", "y"))
                                        .mapping()));
        done(patch(ResourceType.NODE, node, PatchKind.MERGE, Subresource.STATUS, status));
        done(patch(ResourceType.NODE, node, PatchKind.STRATEGIC, Subresource.NONE, strategic));
        done(patch(ResourceType.NODE, node, PatchKind.JSON, Subresource.NONE, json));

        var seen = controlPlane.kubectl("get", "node", node.name(), "-o=json");
        assertThat(seen)
                .contains("\"cpu\": \"2\"")
                .contains("\"x\": \"y\"")
                .doesNotContain("not-by-status");
        assertThat(seen).containsPattern("\"effect\": \"NoSchedule\",\\s+\"key\": \"a\"");
    }

    @Test
    void aListComesInPagesOfOneVersion() {
        IntStream.range(0, 12)
                .forEach(i -> create(CONFIG_MAP, configMap("a-" + i, Map.of("of", "it"))));
        create(CONFIG_MAP, configMap("b", Map.of()));

        var pages = new ArrayList<ListAnswer.Page>();
        var query = new ListQuery(namespace, "of=it", "", 5, "");
        do {
            var page = (ListAnswer.Page) api.list(CONFIG_MAP, query);
            pages.add(page);
            query = query.next(page.continueToken());
        } while (!query.continueToken().isEmpty());

        assertThat(pages).extracting(page -> page.items().size()).containsExactly(5, 5, 2);
        var versions = new HashSet<String>();
        pages.forEach(page -> versions.add(page.resourceVersion()));
        assertThat(versions).hasSize(1);
        var first = pages.getFirst().items().getFirst();
        assertThat(first).isEqualTo(done(api.read(CONFIG_MAP, Metadata.of(first).name())));
    }

    @Test
    void aResourceThatNobodyServesIsToldSo() {
        assertThat(api.list(NOBODYS, ListQuery.all(1))).isEqualTo(new ListAnswer.NotServed());
    }

    @Test
    void anEvictionIsRefusedByABudgetAndDoneWithoutOne() {
        create(SERVICE_ACCOUNT, Tree.of("metadata", Tree.of("name", "default")).mapping());
        var container = Tree.of("name", "c").put("image", "none").mapping();
        var pod =
                create(
                        ResourceType.POD,
                        Tree.of(
                                        "metadata",
                                        Tree.of("name", "web")
                                                .putTexts("labels", Map.of("app", "web")))
                                .put("spec", Tree.of().putList("containers", List.of(container)))
                                .mapping());
        var running = Tree.of("status", Tree.of("phase", "Running")).mapping();
        done(patch(ResourceType.POD, in("web"), PatchKind.MERGE, Subresource.STATUS, running));
        create(
                ResourceType.POD_DISRUPTION_BUDGET,
                Tree.of("metadata", Tree.of("name", "all"))
                        .put(
                                "spec",
                                Tree.of("maxUnavailable", "0%")
                                        .put(
                                                "selector",
                                                Tree.of()
                                                        .putTexts(
                                                                "matchLabels",
                                                                Map.of("app", "web"))))
                        .mapping());
        var eviction = new ApiWrite.Evict(in("web"), Metadata.of(pod).uid());

        assertThat(api.write(eviction).isTooManyRequests()).isTrue();
        assertThat(api.write(new ApiWrite.Evict(in("web"), "another-uid")).isDone()).isFalse();

        var budget = new ApiWrite.Delete(ResourceType.POD_DISRUPTION_BUDGET, in("all"), null, null);
        done(api.write(budget));
        done(api.write(eviction));
        assertThat(api.read(ResourceType.POD, in("web")).isNotFound()).isTrue();
    }

    @Test
    void eventsAreWrittenAndCountedUp() throws InterruptedException {
        var made = create(CONFIG_MAP, configMap("a", Map.of()));
        var subject = new KubeEvent.Subject("v1", "ConfigMap", in("a"), Metadata.of(made).uid());
        var event =
                KubeEvent.warning(subject, "Tested", "by a test")
                        .dedupedBy(List.of(), KubeEvent.DEDUPE_DEFAULT);
        var recorder =
                new EventRecorder(api, InstantSource.system(), Ticker.system(), Sleeper.system());

        recorder.publish(event);
        recorder.publish(event);
        recorder.sendAll();

        assertThat(recorder.dropped()).isZero();
        assertThat(
                        controlPlane.kubectl(
                                "get",
                                "events",
                                "-n",
                                namespace,
                                "-o=jsonpath={range .items[*]}{.type} {.reason} {.count}"
                                        + " {.source.component} {.involvedObject.name}{end}"))
                .isEqualTo("Warning Tested 2 karpenter a");
    }

    @Test
    void aPodIsKnownByItsServiceAccount(@TempDir Path account) throws IOException {
        create(SERVICE_ACCOUNT, Tree.of("metadata", Tree.of("name", "robot")).mapping());
        Files.writeString(
                account.resolve("token"),
                controlPlane.kubectl("create", "token", "robot", "-n", namespace));
        Files.write(account.resolve("ca.crt"), authority());
        Files.writeString(account.resolve("namespace"), namespace);
        var server = controlPlane.server();

        try (var pod =
                open(
                        new KubeAccess.InCluster(
                                server.getHost(),
                                server.getPort(),
                                account,
                                KubeAccess.Proxy.NONE))) {
            assertThat(pod.namespace()).isEqualTo(namespace);
            assertThat(pod.read(ResourceType.NODE, new ObjectName("", "any")))
                    .isInstanceOfSatisfying(
                            ApiAnswer.Refused.class,
                            refused ->
                                    assertThat(refused.message())
                                            .contains(
                                                    "system:serviceaccount:%s:robot"
                                                            .formatted(namespace)));
        }
    }

    private static byte[] authority() throws IOException {
        var text = Files.readString(controlPlane.kubeconfig());
        var data =
                Pattern.compile("certificate-authority-data: *\"?([A-Za-z0-9+/=]+)").matcher(text);
        if (data.find()) {
            return Base64.getDecoder().decode(data.group(1));
        }
        var file = Pattern.compile("certificate-authority: *\"?([^\"\\s]+)").matcher(text);
        assertThat(file.find()).isTrue();
        return Files.readAllBytes(controlPlane.kubeconfig().resolveSibling(file.group(1)));
    }
}
