package dev.millwright.runtime.process;

import dev.millwright.kube.client.ApiSettings;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.probe.Probes;
import dev.millwright.runtime.process.OperatorRun.Leadership;
import dev.millwright.runtime.process.OperatorRun.Watching;
import dev.millwright.runtime.process.OperatorRun.WindingUp;
import dev.millwright.runtime.step.Controller;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// An operator as far as it differs from others: its name, its kinds, its lease, its controllers.
/// An [OperatorProcess] runs it.
public interface Operator {

    /// How the process calls itself before the API server, without its version.
    String program();

    /// How its requests behave, but for the name.
    ApiSettings requests();

    Metrics metrics();

    /// Whether it changes nothing and only tells what it would change.
    boolean isDryRun();

    /// Who acts when several replicas run.
    ///
    /// @param ownNamespace the namespace that this process runs in
    Leadership leadership(String ownNamespace);

    /// Until when steps that are under way must be done when the process stops.
    Duration stopMax();

    /// Gets ready to work: the first thing that a process does with its ways to the cluster. Null
    /// when a stop was asked for meanwhile.
    ///
    /// @param bell calls the loops that will run, once they do
    /// @throws IOException when something that the operator needs is not there; its message is for
    ///   a person
    @Nullable Work prepare(ApiWays ways, Outside.Bell bell)
            throws IOException, InterruptedException;

    /// What an operator does once it is ready.
    ///
    /// @param probes is closed when the process ends
    record Work(Watching watching, Probes probes, Assembly controllers, WindingUp windingUp) {}

    /// Makes the controllers, once the caches are filled and this process leads.
    @FunctionalInterface
    interface Assembly {
        /// @throws IOException when what they need cannot be had; its message is for a person
        Assembled assemble(Outside outside) throws IOException;
    }

    /// Controllers, and how each reaches the world.
    record Assembled(List<Controller> controllers, Outside outside, Loops.Tuning tuning) {
        public Assembled {
            controllers = List.copyOf(controllers);
        }
    }
}
