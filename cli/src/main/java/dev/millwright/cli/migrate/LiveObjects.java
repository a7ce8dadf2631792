package dev.millwright.cli.migrate;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.Pages;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads a cluster's objects of older APIs.
public final class LiveObjects {

    static final ResourceType PROVISIONER =
            new ResourceType("karpenter.sh", "v1alpha5", "provisioners", "Provisioner", false);
    static final ResourceType MACHINE =
            new ResourceType("karpenter.sh", "v1alpha5", "machines", "Machine", false);
    static final ResourceType NODE_TEMPLATE =
            new ResourceType(
                    "karpenter.k8s.aws", "v1alpha1", "awsnodetemplates", "AWSNodeTemplate", false);
    static final ResourceType EC2_NODE_CLASS =
            new ResourceType("karpenter.k8s.aws", "v1", "ec2nodeclasses", "EC2NodeClass", false);
    static final ResourceType CONFIG_MAP =
            new ResourceType("", "v1", "configmaps", "ConfigMap", true);

    private static final List<ResourceType> ALPHA = List.of(NODE_TEMPLATE, PROVISIONER, MACHINE);

    private static final List<ResourceType> CURRENT =
            List.of(EC2_NODE_CLASS, ResourceType.NODE_POOL, ResourceType.NODE_CLAIM);

    private static final List<String> SETTINGS_NAMESPACES = List.of("karpenter", "kube-system");
    private static final String SETTINGS = "karpenter-global-settings";
    private static final int PAGE = 500;

    private final KubeApi api;

    public LiveObjects(KubeApi api) {
        this.api = api;
    }

    /// All of v1alpha5, and of v1beta1 where v1 is not served: else they are the same objects.
    ///
    /// @throws IOException when the cluster says no; its message is for a person
    public List<Value.Mapping> old() throws IOException {
        var objects = new ArrayList<>(settings());
        for (var type : ALPHA) {
            objects.addAll(list(type));
        }
        for (var type : CURRENT) {
            if (!isServed(type)) {
                objects.addAll(list(beta(type)));
            }
        }
        return objects;
    }

    private static ResourceType beta(ResourceType type) {
        return new ResourceType(type.group(), "v1beta1", type.plural(), type.kind(), false);
    }

    /// Whether the API server knows the resource.
    ///
    /// @throws IOException when it does not say
    public boolean isServed(ResourceType type) throws IOException {
        return switch (api.list(type, ListQuery.all(1))) {
            case ListAnswer.Page _, ListAnswer.Expired _ -> true;
            case ListAnswer.NotServed() -> false;
            case ListAnswer.Failed(var message) -> throw Pages.unlisted(type, message);
        };
    }

    private List<Value.Mapping> settings() throws IOException {
        var found = new ArrayList<Value.Mapping>();
        for (var namespace : SETTINGS_NAMESPACES) {
            switch (api.read(CONFIG_MAP, new ObjectName(namespace, SETTINGS))) {
                case ApiAnswer.Done(var object) -> found.add(object);
                case ApiAnswer.Refused(var code, _, _) when code == 404 || code == 403 -> {}
                case ApiAnswer other ->
                        throw new IOException(
                                "ConfigMap %s/%s cannot be read: %s"
                                        .formatted(namespace, SETTINGS, other.explain()));
            }
        }
        return found;
    }

    /// All objects; none where nobody serves the resource.
    ///
    /// @throws IOException when the cluster says no
    public List<Value.Mapping> list(ResourceType type) throws IOException {
        return Pages.all(api, type, ListQuery.all(PAGE));
    }
}
