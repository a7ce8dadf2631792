package dev.millwright.testing.e2e.kwok;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.crd.CustomResources;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.KwokTypes;
import dev.millwright.providers.sim.kwok.KwokCloud;
import dev.millwright.providers.sim.kwok.NodeLookup;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;

import java.time.InstantSource;

/// A control plane with kwok's definitions and a class named `default`, and a way to it.
record KwokServer(ControlPlane controlPlane, HttpKubeApi api) implements AutoCloseable {

    static KwokServer start(ControlPlane.Options options) {
        return on(ControlPlane.start(options));
    }

    private static KwokServer on(ControlPlane controlPlane) {
        controlPlane.apply(CustomResources.kwok().text());
        controlPlane.established();
        controlPlane.apply(
                """
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                """);
        var api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        ApiSettings.of("test", 1_000, 1_000),
                        RequestObserver.NONE);
        Eventually.see(
                "claims are served",
                () -> api.read(ResourceType.NODE_CLAIM, new ObjectName("", "none")).isNotFound(),
                Boolean::booleanValue);
        return new KwokServer(controlPlane, api);
    }

    KwokCloud cloud() {
        return new KwokCloud(
                KwokTypes.builtIn(),
                new KwokCloud.Outside(
                        api,
                        NodeLookup.of(api),
                        KwokNodeClass.of(api),
                        InstantSource.system(),
                        Sleeper.system(),
                        (what, node, why) -> System.err.println(what + " " + node + ": " + why)));
    }

    static NodeClassRef nodeClass(String name) {
        return new NodeClassRef(KwokNodeClass.KIND.group(), KwokNodeClass.KIND.kind(), name);
    }

    @Override
    public void close() {
        api.close();
        controlPlane.close();
    }
}
