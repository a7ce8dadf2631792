package dev.millwright.capi.controlplane;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The variables that the template of an EKS cluster is given.
final class EksVariables {

    private static final int TAG_LENGTH_MAX = 1_024;

    private EksVariables() {}

    /// CAPT's names; beside them, always there so that a template can rely on them: what it forgot
    /// as JSON, and the VPC's id.
    static SequencedMap<String, String> of(RawObject own, RawObject cluster, String vpcId) {
        var variables = new TreeMap<String, String>();
        var config = own.spec().at("controlPlaneConfig");
        var access = config.at("endpointAccess");
        variables.put("cluster_name", cluster.name().name());
        variables.put(
                "kubernetes_version", KubernetesVersion.minor(own.spec().at("version").text("")));
        putFlag(variables, "endpoint_public_access", access.at("public"));
        putFlag(variables, "endpoint_private_access", access.at("private"));
        variables.put("public_access_cidrs", json(access.at("publicCIDRs")));
        variables.put("addons", json(config.at("addons")));
        variables.put("vpc_id", vpcId);
        var region = ControlPlanes.region(own, cluster);
        if (!region.isEmpty()) {
            variables.put("region", region);
        }
        var tags = own.spec().at("additionalTags").texts(TAG_LENGTH_MAX);
        tags.forEach((key, value) -> variables.put("tags_" + key, value));
        if (!tags.isEmpty()) {
            variables.put("tags", JsonWriter.text(Tree.texts(tags)));
        }
        return variables;
    }

    private static void putFlag(Map<String, String> variables, String name, Field field) {
        if (field.isPresent()) {
            variables.put(name, Boolean.toString(field.isTrue()));
        }
    }

    private static String json(Field list) {
        return list.value() instanceof Value.Sequence sequence
                ? JsonWriter.text(sequence)
                : JsonWriter.text(Tree.list(List.of()));
    }
}
