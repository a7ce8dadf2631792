package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Problems;
import dev.millwright.testing.kit.checker.PlanChecker;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/// Known clusters are packed soundly, and for known prices: what makes a plan dearer, or a bound
/// looser, shows here first.
final class PackedPricesTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final Map<String, String> API = Map.of("app", "api");

    /// Clusters of a few dozen pods, each of which asks for something else.
    enum Cluster {
        EQUAL {
            @Override
            ClusterBuilder built() {
                return assorted().with(pods(20, pod("p", "900m").memory("1500Mi")));
            }
        },
        GENERIC {
            @Override
            ClusterBuilder built() {
                return assorted().with(Problems.generic(40, 7));
            }
        },
        RANDOM_SIZES {
            @Override
            ClusterBuilder built() {
                return assorted().with(Problems.randomSizes(25, 3));
            }
        },
        RANDOM_SIZES_OF_FEW_TYPES {
            @Override
            ClusterBuilder built() {
                return cluster().selling(FakeCatalogue.linear(9)).with(Problems.randomSizes(30, 5));
            }
        },
        DIVERSE {
            @Override
            ClusterBuilder built() {
                return cluster().selling(FakeCatalogue.linear(12)).with(Problems.diverse(40, 11));
            }
        },
        MEDIUM {
            @Override
            ClusterBuilder built() {
                return cluster().selling(FakeCatalogue.linear(6)).with(Problems.generic(80, 2));
            }
        },
        PREFERRING {
            @Override
            ClusterBuilder built() {
                return cluster().selling(FakeCatalogue.linear(6)).with(Problems.preferring(6));
            }
        },
        ONE_A_HOST {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(
                                pods(
                                        7,
                                        pod("web", "700m")
                                                .labels(WEB)
                                                .podAntiAffinity(HOSTNAME, WEB)))
                        .with(pods(9, pod("small", "300m")))
                        .with(pods(3, pod("large", "3").memory("2Gi")));
            }
        },
        AWAY_FROM_OTHERS {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(5, pod("web", "700m").labels(WEB)))
                        .with(
                                pods(
                                        4,
                                        pod("api", "1100m")
                                                .labels(API)
                                                .podAntiAffinity(HOSTNAME, WEB)))
                        .with(pods(6, pod("small", "300m")));
            }
        },
        SPREAD_OVER_HOSTS {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(8, pod("web", "600m").labels(WEB).spread(HOSTNAME, 2, WEB)))
                        .with(pods(6, pod("more", "400m").labels(WEB)))
                        .with(pods(4, pod("large", "2").memory("3Gi")));
            }
        },
        SPREAD_OVER_ZONES {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(8, pod("web", "600m").labels(WEB).spread(ZONE, 1, WEB)))
                        .with(pods(7, pod("api", "900m").labels(API).podAntiAffinity(ZONE, WEB)))
                        .with(pods(5, pod("small", "200m")));
            }
        },
        SPREAD_OVER_BOTH {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(
                                pods(
                                        9,
                                        pod("web", "600m")
                                                .labels(WEB)
                                                .spread(ZONE, 1, WEB)
                                                .spread(HOSTNAME, 1, WEB)))
                        .with(pods(6, pod("api", "800m").labels(API).softSpread(HOSTNAME, 1, API)));
            }
        },
        NEAR_EACH_OTHER {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(4, pod("web", "600m").labels(WEB).podAffinity(ZONE, WEB)))
                        .with(pods(3, pod("api", "800m").labels(API).podAffinity(HOSTNAME, WEB)))
                        .with(pods(5, pod("small", "900m")));
            }
        },
        SELECTIVE {
            @Override
            ClusterBuilder built() {
                return assorted()
                        .with(pods(6, pod("arm", "900m").nodeSelector(ARCH, "arm64")))
                        .with(pods(6, pod("amd", "700m").requires(in(ARCH, "amd64"))))
                        .with(pods(6, pod("zone", "500m").requires(notIn(ZONE, ZONE_1))))
                        .with(
                                pods(
                                        6,
                                        pod("any", "300m")
                                                .requires(
                                                        in(ZONE, ZONE_1),
                                                        in(CAPACITY_TYPE, "spot"))));
            }
        },
        TWO_POOLS {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .with(
                                nodePool("heavy")
                                        .weight(9)
                                        .limit("cpu", "9")
                                        .taint(taint("team", "a")),
                                nodePool("light").label("tier", "light"))
                        .sellingTo("heavy", FakeCatalogue.linear(6))
                        .sellingTo("light", FakeCatalogue.linear(5))
                        .with(pods(9, pod("a", "1300m").tolerates(taint("team", "a"))))
                        .with(pods(7, pod("b", "700m")));
            }
        },
        NODES_THERE {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(6))
                        .with(
                                node("a").cpu("4").zone(ZONE_1),
                                node("b").cpu("2").zone(ZONE_2),
                                node("c").cpu("8").zone(ZONE_2).inFlight())
                        .with(pod("on-a", "1").labels(WEB).onNode("a"))
                        .with(pods(9, pod("web", "900m").labels(WEB).spread(ZONE, 1, WEB)))
                        .with(pods(8, pod("small", "700m")));
            }
        },
        DAEMONS {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(daemonSet("log").cpu("200m").memory("300Mi"))
                        .with(
                                daemonSet("gpu")
                                        .pod(each -> each.cpu("500m").nodeSelector(ARCH, "arm64")))
                        .with(pods(14, pod("web", "600m")));
            }
        },
        PORTS {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(4, pod("web", "600m").hostPort(80)))
                        .with(pods(9, pod("small", "300m")));
            }
        },
        RESERVED {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .reservations(Reservations.FALLBACK)
                        .selling(
                                instanceType("large")
                                        .cpu("8")
                                        .memory("16Gi")
                                        .pods(30)
                                        .offering(ZONE_1, "on-demand", 3)
                                        .reserved(ZONE_1, "r1", 2, 0.1),
                                instanceType("small")
                                        .cpu("4")
                                        .memory("8Gi")
                                        .pods(30)
                                        .offering(ZONE_1, "on-demand", 1))
                        .with(pods(14, pod("web", "1900m")));
            }
        },
        MIN_VALUES {
            @Override
            ClusterBuilder built() {
                return cluster()
                        .with(nodePool("default").minValues("node.kubernetes.io/instance-type", 4))
                        .selling(FakeCatalogue.linear(8))
                        .with(pods(11, pod("web", "1300m")));
            }
        };

        abstract ClusterBuilder built();

        private static ClusterBuilder assorted() {
            return cluster().selling(FakeCatalogue.linear(16));
        }
    }

    private static Plan plan(Cluster cluster, Packing packing) {
        var problem = cluster.built().packing(packing).problem();
        var plan = Planner.plan(problem);
        assertThat(PlanChecker.check(problem, plan)).isEmpty();
        return plan;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    EQUAL                     | FIRST_FIT | 5.980219 | 5.980219 | 2 | 0
                    EQUAL                     | CHEAPEST  | 5.980219 | 5.980219 | 2 | 0
                    GENERIC                   | FIRST_FIT | 8.812954 | 7.712325 | 2 | 0
                    GENERIC                   | CHEAPEST  | 7.868709 | 7.712325 | 2 | 0
                    RANDOM_SIZES              | FIRST_FIT | 6.609716 | 5.962059 | 2 | 1
                    RANDOM_SIZES              | CHEAPEST  | 5.980219 | 5.962059 | 2 | 1
                    RANDOM_SIZES_OF_FEW_TYPES | FIRST_FIT | 11.330941 | 11.264101 | 4 | 2
                    RANDOM_SIZES_OF_FEW_TYPES | CHEAPEST  | 11.330941 | 11.264101 | 4 | 2
                    DIVERSE                   | FIRST_FIT | 13.848928 | 9.804412 | 8 | 0
                    DIVERSE                   | CHEAPEST  | 10.386696 | 9.804412 | 8 | 0
                    MEDIUM                    | FIRST_FIT | 20.773392 | 20.373288 | 11 | 0
                    MEDIUM                    | CHEAPEST  | 20.773392 | 20.373288 | 11 | 0
                    PREFERRING                | FIRST_FIT | 3.776980 | 3.776980 | 6 | 0
                    PREFERRING                | CHEAPEST  | 3.776980 | 3.776980 | 6 | 0
                    ONE_A_HOST                | FIRST_FIT | 6.609716 | 5.980219 | 7 | 0
                    ONE_A_HOST                | CHEAPEST  | 5.980219 | 5.980219 | 7 | 0
                    AWAY_FROM_OTHERS          | FIRST_FIT | 3.462232 | 3.147484 | 2 | 0
                    AWAY_FROM_OTHERS          | CHEAPEST  | 3.147484 | 3.147484 | 2 | 0
                    SPREAD_OVER_HOSTS         | FIRST_FIT | 5.665471 | 5.350722 | 4 | 0
                    SPREAD_OVER_HOSTS         | CHEAPEST  | 5.350722 | 5.350722 | 4 | 0
                    SPREAD_OVER_ZONES         | FIRST_FIT | 2.517987 | 2.517987 | 1 | 8
                    SPREAD_OVER_ZONES         | CHEAPEST  | 2.517987 | 2.517987 | 1 | 8
                    SPREAD_OVER_BOTH          | FIRST_FIT | 4.721225 | 4.406477 | 9 | 0
                    SPREAD_OVER_BOTH          | CHEAPEST  | 4.721225 | 4.406477 | 9 | 0
                    NEAR_EACH_OTHER           | FIRST_FIT | 2.517987 | 2.517987 | 1 | 2
                    NEAR_EACH_OTHER           | CHEAPEST  | 2.517987 | 2.517987 | 1 | 2
                    SELECTIVE                 | FIRST_FIT | 3.147484 | 3.147484 | 2 | 6
                    SELECTIVE                 | CHEAPEST  | 3.147484 | 3.147484 | 2 | 6
                    TWO_POOLS                 | FIRST_FIT | 5.980219 | 5.350722 | 4 | 0
                    TWO_POOLS                 | CHEAPEST  | 5.350722 | 5.350722 | 4 | 0
                    NODES_THERE               | FIRST_FIT | 1.888490 | 1.888490 | 1 | 0
                    NODES_THERE               | CHEAPEST  | 1.888490 | 1.888490 | 1 | 0
                    DAEMONS                   | FIRST_FIT | 3.147484 | 3.147484 | 2 | 0
                    DAEMONS                   | CHEAPEST  | 3.147484 | 3.147484 | 2 | 0
                    PORTS                     | FIRST_FIT | 2.517987 | 1.888490 | 4 | 0
                    PORTS                     | CHEAPEST  | 1.888490 | 1.888490 | 4 | 0
                    RESERVED                  | FIRST_FIT | 4.200000 | 0.400000 | 4 | 0
                    RESERVED                  | CHEAPEST  | 4.200000 | 0.400000 | 4 | 0
                    MIN_VALUES                | FIRST_FIT | 4.721225 | 4.721225 | 4 | 0
                    MIN_VALUES                | CHEAPEST  | 4.721225 | 4.721225 | 4 | 0
                    """)
    void aKnownClusterIsPackedForAKnownPrice(
            Cluster cluster,
            Packing packing,
            double pricePerHour,
            double lowerBoundPerHour,
            int claims,
            int waiting) {
        var plan = plan(cluster, packing);

        assertThat(plan.pricePerHour()).isCloseTo(pricePerHour, within(1e-6));
        assertThat(plan.lowerBoundPerHour()).isCloseTo(lowerBoundPerHour, within(1e-6));
        assertThat(plan.claims()).hasSize(claims);
        assertThat(plan.waiting()).hasSize(waiting);
    }
}
