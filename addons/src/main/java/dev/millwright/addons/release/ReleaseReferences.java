package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.kube.grant.ReferencePolicy.To;

import java.util.ArrayList;
import java.util.List;

/// What a release proxy refers to by namespace and name: the Cluster whose kubeconfig is used, and
/// Secrets with a login and an authority.
final class ReleaseReferences {

    private static final String CLUSTERS = "cluster.x-k8s.io";

    private ReleaseReferences() {}

    static From from(ReleaseProxy proxy) {
        var type = AddonTypes.RELEASE_PROXY.type();
        return new From(type.group(), type.kind(), proxy.name().namespace());
    }

    static List<To> of(ReleaseProxy proxy) {
        var all = new ArrayList<To>();
        all.add(new To("spec.clusterRef", CLUSTERS, "Cluster", proxy.cluster()));
        var credentials = proxy.source().credentials();
        if (credentials != null) {
            all.add(secret("spec.credentials.secret", credentials.secret()));
        }
        var authority = proxy.source().authority();
        if (authority != null) {
            all.add(secret("spec.tlsConfig.caSecret", authority));
        }
        return all;
    }

    private static To secret(String field, ObjectName name) {
        return new To(field, "", "Secret", name);
    }
}
