package dev.millwright.testing.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// That a log without writes says something: a write would be in it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AuditLogIT {

    private ControlPlane plane;

    @BeforeAll
    void start() {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly().audited());
    }

    @AfterAll
    void end() {
        plane.close();
    }

    @Test
    void whoReadsAndWhoWritesIsInTheLogAtOnce() {
        plane.kubectl("get", "nodes");
        plane.kubectl("create", "namespace", "written");

        var requests = plane.audit().requests();

        assertThat(requests)
                .anySatisfy(
                        each -> {
                            assertThat(each.verb()).isEqualTo("list");
                            assertThat(each.resource()).isEqualTo("nodes");
                            assertThat(each.isWrite()).isFalse();
                        })
                .anySatisfy(
                        each -> {
                            assertThat(each.verb()).isEqualTo("create");
                            assertThat(each.resource()).isEqualTo("namespaces");
                            assertThat(each.user()).isEqualTo("admin");
                            assertThat(each.agent()).startsWith("kubectl/");
                            assertThat(each.code()).isEqualTo(201);
                            assertThat(each.isWrite()).isTrue();
                        });
    }
}
