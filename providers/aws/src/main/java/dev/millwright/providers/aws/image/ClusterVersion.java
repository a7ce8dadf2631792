package dev.millwright.providers.aws.image;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// The version of this cluster's control plane, as it was last told.
public final class ClusterVersion {

    /// Who knows the version.
    @FunctionalInterface
    public interface Source {

        /// E.g. `1.31`.
        ///
        /// @throws AwsFault when it cannot be told
        String version() throws AwsFault;

        static Source eks(EksApi eks, String clusterName) {
            return () -> eks.cluster(clusterName).version();
        }

        /// @param answer what the API server says of itself
        static Source apiServer(Supplier<ApiAnswer> answer) {
            return () ->
                    switch (answer.get()) {
                        case ApiAnswer.Done(var told) ->
                                text(told, "major") + "." + text(told, "minor");
                        case ApiAnswer.Refused refused ->
                                throw AwsFault.refused("ApiServer", refused.explain());
                        case ApiAnswer.Unreachable unreachable ->
                                throw new AwsFault("ApiServer", unreachable.explain(), true, true);
                    };
        }

        private static String text(Value.Mapping told, String field) {
            return told.fields().get(field) instanceof Value.Text(_, var text) ? text : "";
        }
    }

    private final Source source;
    private volatile @Nullable KubernetesVersion known;

    public ClusterVersion(Source source) {
        this.source = source;
    }

    /// Null until it was asked for.
    public @Nullable KubernetesVersion known() {
        return known;
    }

    /// Asks again. What was known stays when nobody tells.
    public KubernetesVersion refresh() throws AwsFault {
        var text = source.version();
        var version = KubernetesVersion.parse(text);
        if (version == null) {
            throw AwsFault.refused(
                    "KubernetesVersionUnreadable",
                    "Kubernetes version \"%s\" cannot be read; wanted one such as 1.31"
                            .formatted(text));
        }
        known = version;
        return version;
    }

    /// What is known, or where nothing is what is told now.
    public KubernetesVersion ask() throws AwsFault {
        var before = known;
        return before == null ? refresh() : before;
    }
}
