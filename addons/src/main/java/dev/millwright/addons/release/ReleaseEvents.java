package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.Trouble;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

/// What users hear of a release: what is begun, and what went wrong.
final class ReleaseEvents {

    private ReleaseEvents() {}

    private static KubeEvent.Subject subject(ReleaseProxy proxy) {
        return KubeEvent.Subject.of(AddonTypes.RELEASE_PROXY.type(), proxy.object());
    }

    private static Step normal(ReleaseProxy proxy, String reason, String what) {
        var message =
                "%s release %s/%s on Cluster %s"
                        .formatted(
                                what,
                                proxy.namespace(),
                                proxy.releaseName(),
                                proxy.cluster().name());
        return Step.of(new Effect.Publish(KubeEvent.normal(subject(proxy), reason, message)));
    }

    /// @param version the chart's, of a run that deploys
    static Step begun(Run run, String version) {
        var proxy = run.proxy();
        var chart = "chart %s %s as".formatted(proxy.source().chart(), version);
        return switch (run) {
            case Run.Install _ -> normal(proxy, "HelmInstall", "Installing " + chart);
            case Run.Upgrade _ -> normal(proxy, "HelmUpgrade", "Upgrading to " + chart);
            case Run.Uninstall _ -> normal(proxy, "HelmUninstall", "Uninstalling");
            case Run.GiveUp _ ->
                    normal(proxy, "HelmGiveUp", "Giving up a revision that a dead run left of");
            case Run.Inspect _ -> Step.DONE;
        };
    }

    /// @param reason the condition's
    static Step failed(ReleaseProxy proxy, String reason, Trouble trouble) {
        return Step.of(
                new Effect.Publish(KubeEvent.warning(subject(proxy), reason, trouble.message())));
    }
}
