package dev.millwright.cli.explain;

import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.DocumentSink;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.snapshot.SnapshotFile;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.spi.CatalogAnswer;

import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;

/// A cluster as the operator would see it, looked at once: the same caches, the same survey, the
/// same decisions. What an operator remembers from before is not there.
public final class StandingCluster {

    private static final List<Kind<? extends KubeObject>> KINDS =
            List.of(
                    Kind.NAMESPACE,
                    Kind.DAEMON_SET,
                    Kind.POD_DISRUPTION_BUDGET,
                    Kind.PERSISTENT_VOLUME_CLAIM,
                    Kind.PERSISTENT_VOLUME,
                    Kind.STORAGE_CLASS,
                    Kind.CSI_NODE);

    private final SnapshotFile file;
    private final View view;
    private final Instant now;

    private StandingCluster(SnapshotFile file, Instant now) {
        this.file = file;
        this.now = now;
        List<Kind<NodeClassObject>> classes =
                List.of(Kind.nodeClass(Ec2NodeClass.TYPE), Kind.nodeClass(KwokNodeClass.TYPE));
        this.view =
                new View(new ObjectReader(file.problem().policy().vocabulary()), KINDS, classes);
    }

    /// @param objects as [dev.millwright.kube.snapshot.SnapshotReader#objects] reads them
    public static StandingCluster of(
            SnapshotFile file,
            SequencedMap<ResourceType, List<Value.Mapping>> objects,
            Instant now) {
        var cluster = new StandingCluster(file, now);
        objects.forEach(
                (type, all) -> cluster.view.caches(type).forEach(cache -> all.forEach(cache::put)));
        return cluster;
    }

    public static StandingCluster of(SnapshotFile file, List<Source> sources, Instant now) {
        var cluster = new StandingCluster(file, now);
        sources.forEach(source -> DocumentReader.read(source, cluster.sink()));
        return cluster;
    }

    private DocumentSink sink() {
        return new DocumentSink() {
            @Override
            public boolean isStreamed(String field) {
                return field.equals("items");
            }

            @Override
            public void element(String field, Value element) {
                put(element);
            }

            @Override
            public void document(Value document) {
                put(document);
            }
        };
    }

    private void put(Value value) {
        if (!(value instanceof Value.Mapping object)) {
            return; // The plan's reader has told of it.
        }
        var kind = object.text("kind");
        view.kinds().stream()
                .filter(each -> each.type().kind().equals(kind))
                .forEach(each -> view.cache(each).put(object));
    }

    public SnapshotFile file() {
        return file;
    }

    public View view() {
        return view;
    }

    /// What a decision about nodes would be made from now.
    public DisruptionProblem problem() {
        return problem(Settings.Consolidation.KARPENTER, false);
    }

    /// The same by an operator that consolidates so.
    public DisruptionProblem problem(Settings.Consolidation consolidation, boolean isSpotToSpot) {
        SchedulingProblem plan = file.problem();
        return new Survey(
                        new Marks(),
                        new DisruptionQueue(),
                        pool ->
                                new CatalogAnswer.Types(
                                        plan.catalogs().getOrDefault(pool.name(), List.of())),
                        _ -> List.of(),
                        plan.policy(),
                        isSpotToSpot,
                        consolidation)
                .of(view, now);
    }
}
