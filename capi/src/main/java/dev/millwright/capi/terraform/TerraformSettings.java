package dev.millwright.capi.terraform;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How Terraform is run.
///
/// @param root of the folders, one for each Workspace
/// @param runsMax at once
/// @param timeout of a whole run
/// @param interruptWait how long an interrupted command may take to save its state
/// @param namespace the manager's own: state without a backend of its own is kept there
/// @param environment the manager's own, of which a few variables are passed on
/// @param lendsCredentials whether those that say who the manager is are among them
public record TerraformSettings(
        Path root,
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
            Path root,
            String namespace,
            HostName host,
            Map<String, String> environment,
            boolean lendsCredentials) {
        return new TerraformSettings(
                root,
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
                root, runsMax, run, interrupt, namespace, host, environment, lendsCredentials);
    }

    public TerraformSettings withRunsMax(int most) {
        return new TerraformSettings(
                root, most, timeout, interruptWait, namespace, host, environment, lendsCredentials);
    }

    /// One for each namespace: what Terraform of one put there, that of another must not run.
    Path pluginCache(String namespace) {
        return root.resolve("plugin-cache").resolve(namespace.isEmpty() ? "-" : namespace);
    }
}
