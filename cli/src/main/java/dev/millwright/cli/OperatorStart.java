package dev.millwright.cli;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.runtime.process.StopSignal;

import java.io.IOException;

/// Runs the operator until it is asked to stop.
@FunctionalInterface
interface OperatorStart {

    /// Returns the process's exit code, once all loops have ended and the lease is given back.
    ///
    /// @throws IOException when a port or a log file cannot be had; its message is for a person
    int run(Settings settings, KubeAccess access, StopSignal stop)
            throws IOException, InterruptedException;
}
