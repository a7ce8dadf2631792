package dev.millwright.addons.port;

import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

/// Runs of Helm for release proxies, one at a time for each, beside the loops. The proxy is rung
/// when its run is over.
public interface HelmRuns {

    /// A proxy, told from another of its name that comes later, and the Cluster its runs are on.
    record Key(ObjectName proxy, String uid, ObjectName cluster) {
        public static Key of(ReleaseProxy proxy) {
            return new Key(proxy.name(), proxy.meta().uid(), proxy.cluster());
        }
    }

    /// What is to be done for a proxy.
    sealed interface Run {

        /// Installs the release.
        ///
        /// @param replaces whether a history without a release stands in its place
        record Install(ReleaseProxy proxy, Deployment deployment, boolean replaces)
                implements Run {}

        record Upgrade(ReleaseProxy proxy, Deployment deployment) implements Run {}

        /// Says of a pending revision that it failed, unless somebody writes it meanwhile.
        record GiveUp(ReleaseProxy proxy, long revision) implements Run {}

        /// Reads what a revision holds.
        record Inspect(ReleaseProxy proxy, long revision) implements Run {}

        record Uninstall(ReleaseProxy proxy) implements Run {}

        ReleaseProxy proxy();
    }

    /// What a revision is made from and marked with.
    ///
    /// @param version the chart's, exact
    record Deployment(String version, String values, String owner, String wanted, String run) {

        @Override
        public String toString() {
            return "Deployment of version " + version; // Values may be secret.
        }
    }

    /// What a revision holds.
    ///
    /// @param values the user's, as JSON whose fields are in order
    record Contents(long revision, String chartVersion, String values) {

        @Override
        public String toString() {
            return "Contents of revision " + revision; // Values may be secret.
        }
    }

    sealed interface Result {

        /// A run ended well; the storage has what came of it.
        record Done(Run run) implements Result {}

        record Inspected(Contents contents) implements Result {}

        record Failed(Run run, Trouble trouble) implements Result {}

        /// It broke off, and what it did is to be looked for.
        record Broken(Trouble trouble) implements Result {}
    }

    /// Whether a run of the proxy is under way or waits for its turn.
    boolean isUnderWay(Key key);

    /// Begins a run unless one is under way.
    void begin(Key key, Run run);

    /// What came of the last run, once.
    @Nullable Result take(Key key);

    /// Ends the proxy's run, if there is one.
    void cancel(Key key);
}
