package dev.millwright.addons.port;

import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a Cluster refers to, for templates.
public interface Surroundings {

    /// One answer for each Cluster, in order.
    List<Answer> read(List<WorkloadCluster> clusters);

    sealed interface Answer {

        /// @param controlPlane null where the Cluster names none
        /// @param infrastructure null where the Cluster names none
        /// @param outputs of the Cluster's CAPT workspaces, those of the control plane over the
        ///   VPC's, sensitive ones included
        /// @param sensitive the names of the outputs that are
        /// @param version changes whenever a sensitive output may have
        record Found(
                Value.@Nullable Mapping controlPlane,
                Value.@Nullable Mapping infrastructure,
                Value.Mapping outputs,
                List<String> sensitive,
                String version)
                implements Answer {

            public Found {
                sensitive = List.copyOf(sensitive);
            }

            @Override
            public String toString() {
                return "Found"; // Outputs may be secret.
            }
        }

        record Failed(String message) implements Answer {}
    }
}
