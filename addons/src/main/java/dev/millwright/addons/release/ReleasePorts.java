package dev.millwright.addons.release;

import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.ValuesSecrets;
import dev.millwright.kube.grant.ReferencePolicy;

/// All that a release's steps ask besides their caches.
///
/// @param references whether a proxy may name a Cluster or a Secret of another namespace
public record ReleasePorts(
        HelmRuns runs,
        Storage storage,
        Charts charts,
        ValuesSecrets values,
        ReferencePolicy references) {}
