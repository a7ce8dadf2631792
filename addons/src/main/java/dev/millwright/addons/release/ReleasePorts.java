package dev.millwright.addons.release;

import dev.millwright.addons.port.Charts;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.ValuesSecrets;

/// All that a release's steps ask besides their caches.
public record ReleasePorts(HelmRuns runs, Storage storage, Charts charts, ValuesSecrets values) {}
