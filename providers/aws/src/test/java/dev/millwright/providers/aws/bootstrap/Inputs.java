package dev.millwright.providers.aws.bootstrap;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.Taint;
import dev.millwright.providers.aws.bootstrap.BootstrapInput.ClusterAccess;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.Classes;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// What user data is made of in tests.
final class Inputs {

    static final ClusterAccess CLUSTER =
            new ClusterAccess("mill", "https://mill.example", "Y2EtYnVuZGxl", "10.100.0.0/16");

    private Inputs() {}

    /// A node of which the class says nothing.
    static BootstrapInput bare(AmiFamily family) {
        return bare(family, null);
    }

    static BootstrapInput bare(AmiFamily family, @Nullable String custom) {
        return new BootstrapInput(
                CLUSTER,
                NodeMarks.labels(Map.of("karpenter.sh/nodepool", "default"), "spot", family),
                NodeMarks.taints(List.of(), List.of()),
                KubeletConfiguration.NONE.resolved(29, "10.100.0.10"),
                false,
                custom,
                null);
    }

    /// A node of which the class says all there is to say.
    static BootstrapInput whole(AmiFamily family, @Nullable String custom) {
        return new BootstrapInput(
                CLUSTER,
                NodeMarks.labels(
                        Map.of(
                                "karpenter.sh/nodepool", "default",
                                "team", "a",
                                "kubernetes.io/os", "linux"),
                        "on-demand",
                        family),
                NodeMarks.taints(
                        List.of(new Taint("dedicated", "a", Effect.NO_SCHEDULE)),
                        List.of(new Taint("starting", "", Effect.NO_EXECUTE))),
                Classes.read(Classes.resource("whole.yaml"))
                        .spec()
                        .kubelet()
                        .resolved(29, "10.100.0.10"),
                true,
                custom,
                "v1.45.0");
    }

    static BootstrapInput with(BootstrapInput input, KubeletConfiguration kubelet) {
        return new BootstrapInput(
                input.cluster(),
                input.labels(),
                input.taints(),
                kubelet,
                input.isRaid0(),
                input.customUserData(),
                input.amiVersion());
    }

    static String text(UserData userData) {
        return switch (userData) {
            case UserData.Written(var text, _) -> text;
            case UserData.Invalid(var problem) -> "invalid: " + problem;
            case UserData.NotReady(var problem) -> "not ready: " + problem;
        };
    }

    /// A file beside the tests.
    static String resource(String name) {
        try (var stream = Inputs.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException(name + " is not there");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
