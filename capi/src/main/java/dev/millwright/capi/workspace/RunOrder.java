package dev.millwright.capi.workspace;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.grant.ReferencePolicy.From;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Everything one run of Terraform needs: made by a step, so that a run asks the API server for
/// nothing but its state. Never printed: it holds secrets.
public record RunOrder(
        Target target,
        Aim aim,
        Module module,
        SequencedMap<String, byte[]> files,
        Arguments arguments,
        SequencedMap<String, String> environment,
        Options options,
        List<String> secrets) {

    /// The file that a config's own HCL is put into.
    public static final String CONFIG_FILE = "crossplane-provider-config.tf";

    /// Whose run it is.
    ///
    /// @param origin for whom it is run; without a namespace for one that an administrator wrote
    /// @param workspace what Terraform calls the workspace: the external name
    /// @param generation of the object's spec the order was made from
    public record Target(
            String uid,
            String controller,
            ObjectName key,
            From origin,
            String workspace,
            long generation) {}

    /// What may be done with what the plan finds.
    public record Aim(boolean mayCreate, boolean mayUpdate, boolean mayDestroy) {

        public static final Aim DESTROY = new Aim(false, false, true);
    }

    public sealed interface Module {

        /// In the files already.
        record Inline() implements Module {}

        /// To be fetched by Terraform itself.
        record Address(String address) implements Module {}
    }

    /// @param variables for plan, apply and destroy, in the order in which a later one wins
    public record Arguments(
            List<String> variables,
            List<String> init,
            List<String> plan,
            List<String> apply,
            List<String> destroy) {
        public Arguments {
            variables = List.copyOf(variables);
            init = List.copyOf(init);
            plan = List.copyOf(plan);
            apply = List.copyOf(apply);
            destroy = List.copyOf(destroy);
        }
    }

    /// @param entrypoint folder within the module, empty for its root
    /// @param backendFile bare attributes for the backend, empty for none
    /// @param isConfigOfCluster whether the config has no namespace, so that an administrator wrote
    ///   it
    /// @param knownChecksum of the folder that was last initialised, as the status tells it
    public record Options(
            String entrypoint,
            String backendFile,
            boolean isConfigOfCluster,
            boolean usesPluginCache,
            boolean isLogged,
            String knownChecksum) {}

    public RunOrder {
        files = Collections.unmodifiableSequencedMap(new TreeMap<>(files));
        environment = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(environment));
        secrets = List.copyOf(secrets);
    }

    @Override
    public String toString() {
        return "run of %s %s".formatted(target.controller(), target.key());
    }
}
