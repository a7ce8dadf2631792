package dev.millwright.cli;

import dev.millwright.kube.client.KubeAccess;
import dev.millwright.runtime.process.StopSignal;

import java.io.IOException;

/// Runs an operator until it is asked to stop.
///
/// @param <S> what it is told by flags
@FunctionalInterface
interface OperatorStart<S> {

    /// Returns the process's exit code, once all loops have ended and the lease is given back.
    ///
    /// @throws IOException when a port, a log file or what the operator needs cannot be had; its
    ///   message is for a person
    int run(S settings, KubeAccess access, StopSignal stop)
            throws IOException, InterruptedException;
}
