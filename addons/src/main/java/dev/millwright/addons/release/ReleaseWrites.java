package dev.millwright.addons.release;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Meta;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Pattern;

/// Writes to a release proxy's own object.
final class ReleaseWrites {

    /// Longest name of a release that Helm takes.
    private static final int NAME_MAX = 53;

    private static final Pattern UNFIT = Pattern.compile("[^a-z0-9.-]+");

    private ReleaseWrites() {}

    private static ApiWrite patch(ReleaseProxy proxy, Tree body) {
        return patch(proxy.meta(), body);
    }

    private static ApiWrite patch(Meta meta, Tree body) {
        return new ApiWrite.Patch(
                AddonTypes.RELEASE_PROXY.type(),
                meta.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                body.mapping());
    }

    static ApiWrite finalizer(Meta meta, boolean isThere) {
        var finalizers = new ArrayList<>(meta.finalizers());
        finalizers.remove(AddonTypes.RELEASE_PROXY_FINALIZER);
        if (isThere) {
            finalizers.add(AddonTypes.RELEASE_PROXY_FINALIZER);
        }
        return patch(
                meta, Tree.of("metadata", meta.locked().putTextList("finalizers", finalizers)));
    }

    /// A name as Helm makes one up: the chart's and the time.
    static ApiWrite generatedName(ReleaseProxy proxy, Instant now) {
        var chart = proxy.source().chart();
        var base = chart.substring(chart.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        var time = "-" + now.getEpochSecond();
        var fit = UNFIT.matcher(base).replaceAll("-");
        var name = fit.substring(0, Math.min(fit.length(), NAME_MAX - time.length())) + time;
        return patch(
                proxy,
                Tree.of(
                                "metadata",
                                proxy.meta()
                                        .locked()
                                        .put(
                                                "annotations",
                                                Tree.of(AddonTypes.NAME_IS_GENERATED, "true")))
                        .put("spec", Tree.of("releaseName", name)));
    }

    static ApiWrite installed(ReleaseProxy proxy) {
        return patch(
                proxy,
                Tree.of(
                        "metadata",
                        Tree.of("annotations", Tree.of(AddonTypes.IS_INSTALLED, "true"))));
    }
}
