package dev.millwright.controllers.nodeoverlay;

import static dev.millwright.testing.kit.FakeCatalogue.VOCABULARY;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.OverlayObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.OverlaidCloud;
import dev.millwright.spi.OverlayStore;
import dev.millwright.testing.kit.cluster.Rig;

import java.util.ArrayList;
import java.util.List;

/// A cluster of two pools that can buy two machines, `a` with one cpu and `b` with two, each for 1
/// USD in two ways; and the controller that tries overlays on them.
final class Overlays {

    static final String SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}";
    static final String TYPE_A =
            "{key: node.kubernetes.io/instance-type, operator: In, values: [a]}";
    static final String TYPE_B =
            "{key: node.kubernetes.io/instance-type, operator: In, values: [b]}";
    static final String IN_ZONE_1 =
            "{key: topology.kubernetes.io/zone, operator: In, values: [test-zone-1]}";
    static final String IN_ZONE_2 =
            "{key: topology.kubernetes.io/zone, operator: In, values: [test-zone-2]}";
    static final String IN_TWO = "{key: karpenter.sh/nodepool, operator: In, values: [two]}";
    static final String TEAM_RED = "{key: team, operator: In, values: [red]}";

    /// The two ways to say what a machine costs.
    enum Form {
        PRICE,
        ADJUSTMENT;

        /// What makes 1 USD so much.
        String of(int usd) {
            return switch (this) {
                case PRICE -> "price: \"%d\"".formatted(usd);
                case ADJUSTMENT -> "priceAdjustment: \"+%d\"".formatted(usd - 1);
            };
        }
    }

    final Rig rig = new Rig();
    final OverlayStore store = new OverlayStore();
    final CloudProvider overlaid = new OverlaidCloud(rig.cloud(), store);
    final List<String> rounds = new ArrayList<>();

    Overlays() {
        rig.cloud().types(List.of(machine("a", "1"), machine("b", "2")));
        rig.apply(pool("one").replace("labels: {}", "labels: {team: red}")).apply(pool("two"));
    }

    static InstanceType machine(String name, String cpu) {
        return instanceType(name)
                .cpu(cpu)
                .offering(ZONE_1, "spot", 1)
                .offering(ZONE_2, "on-demand", 1)
                .build();
    }

    static String overlay(String name, int weight, String what, String... requirements) {
        return """
               apiVersion: karpenter.sh/v1alpha1
               kind: NodeOverlay
               metadata: {name: %s, generation: 1}
               spec:
                 requirements: [%s]
                 weight: %d
                 %s
               """
                .formatted(name, String.join(", ", requirements), weight, what);
    }

    static String fuses(int count) {
        return "capacity: {example.com/fuse: %d}".formatted(count);
    }

    OverlayController controller() {
        return new OverlayController(
                rig.view().classKinds(),
                rig.cloud()::catalog,
                VOCABULARY,
                store,
                () -> rounds.add("round"));
    }

    Ending run(String... overlays) {
        for (var overlay : overlays) {
            rig.apply(overlay);
        }
        return rig.run(controller());
    }

    Condition validity(String name) {
        var found = rig.view().cache(Kind.NODE_OVERLAY).find(name);
        var condition =
                found == null ? null : found.conditions().find(OverlayObject.VALIDATION_SUCCEEDED);
        if (condition == null) {
            throw new IllegalStateException("NodeOverlay %s is not there".formatted(name));
        }
        return condition;
    }

    boolean holds(String name) {
        return validity(name).isTrue();
    }

    String reason(String name) {
        return validity(name).reason();
    }

    List<InstanceType> types(String pool) {
        return overlaid.catalog(rig.pool(pool).pool()) instanceof CatalogAnswer.Types(var types)
                ? types
                : List.of();
    }

    /// Of a spot and on demand, then of b.
    List<Double> prices(String pool) {
        return types(pool).stream()
                .flatMap(type -> type.offerings().stream())
                .map(Offering::pricePerHour)
                .toList();
    }

    /// Of a, then of b.
    List<Long> fusesOf(String pool) {
        return types(pool).stream()
                .map(type -> type.capacity().amount("example.com/fuse").units())
                .toList();
    }
}
