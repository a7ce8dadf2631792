package dev.millwright.capi.terraform;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How Terraform is run.
///
/// @param notes folder of this machine for what is unfinished
/// @param runsMax at once
/// @param timeout of a whole run
/// @param interruptWait how long an interrupted command may take to save its state
/// @param namespace the manager's own: state without a backend of its own is kept there
/// @param environment the manager's own
/// @param lendsCredentials whether those of its variables that say who it is in AWS are passed on
public record TerraformSettings(
        Path notes,
        int runsMax,
        Duration timeout,
        Duration interruptWait,
        String namespace,
        HostName host,
        SequencedMap<String, String> environment,
        boolean lendsCredentials) {

    public static final int RUNS_MAX = 10;
    public static final Duration TIMEOUT = Duration.ofMinutes(20);
    public static final Duration INTERRUPT_WAIT = Duration.ofMinutes(2);

    /// Where the manager runs, as others know it.
    public record HostName(String name, boolean isPod) {}

    public TerraformSettings {
        environment = Collections.unmodifiableSequencedMap(new TreeMap<>(environment));
    }

    public static TerraformSettings of(
            Path notes,
            String namespace,
            HostName host,
            Map<String, String> environment,
            boolean lendsCredentials) {
        return new TerraformSettings(
                notes,
                RUNS_MAX,
                TIMEOUT,
                INTERRUPT_WAIT,
                namespace,
                host,
                new TreeMap<>(environment),
                lendsCredentials);
    }

    public TerraformSettings withTimeouts(Duration run, Duration interrupt) {
        return new TerraformSettings(
                notes, runsMax, run, interrupt, namespace, host, environment, lendsCredentials);
    }

    public TerraformSettings withRunsMax(int most) {
        return new TerraformSettings(
                notes,
                most,
                timeout,
                interruptWait,
                namespace,
                host,
                environment,
                lendsCredentials);
    }
}
