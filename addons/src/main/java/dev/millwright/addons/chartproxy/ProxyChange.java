package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.kube.document.Value;

import java.util.List;

/// What is to be done about the release proxy of one cluster.
sealed interface ProxyChange {

    /// It is as it should be.
    record None() implements ProxyChange {}

    record Create() implements ProxyChange {}

    /// @param patch to be merged
    record Update(ReleaseProxy proxy, Value.Mapping patch) implements ProxyChange {}

    /// What cannot be changed is another: the proxy goes, and one is made anew.
    record Reinstall(ReleaseProxy proxy) implements ProxyChange {}

    /// The one before it is on its way out.
    record Leaving() implements ProxyChange {}

    /// There are several for one cluster and chart proxy.
    record Doubled(List<String> names) implements ProxyChange {
        public Doubled {
            names = List.copyOf(names);
        }
    }
}
