package dev.millwright.capi.terraform;

import dev.millwright.capi.runner.Processes;
import dev.millwright.capi.runner.TerraformHost;
import dev.millwright.capi.terraform.TerraformSettings.HostName;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// A process of ours that holds a lock, in words that stand in the lock.
///
/// @param boot which start of the machine it was
/// @param started when the process began, in the machine's own count
/// @param folder where its Terraform works
record Holder(HostName host, String boot, long pid, String started, Path folder) {

    private static final Pattern WORDS =
            Pattern.compile(
                    "millwright (pod|host)=(\\S+) boot=(\\S+) pid=(\\d+) started=(\\S+)"
                            + " folder=(.+)");

    static Holder here(HostName host, Path folder) {
        var pid = ProcessHandle.current().pid();
        return new Holder(host, Processes.boot(), pid, Processes.started(pid), folder);
    }

    /// Null where somebody else wrote it.
    static @Nullable Holder of(String words) {
        var matcher = WORDS.matcher(words);
        return matcher.matches()
                ? new Holder(
                        new HostName(matcher.group(2), matcher.group(1).equals("pod")),
                        matcher.group(3),
                        Long.parseLong(matcher.group(4)),
                        matcher.group(5),
                        Path.of(matcher.group(6)))
                : null;
    }

    String words() {
        return "millwright %s=%s boot=%s pid=%d started=%s folder=%s"
                .formatted(host.isPod() ? "pod" : "host", host.name(), boot, pid, started, folder);
    }

    /// On this machine, as far as we can tell: the same name, and a pod's name is nobody else's.
    boolean isOn(HostName other) {
        return host.equals(other);
    }

    /// Whether, on its own machine, neither the process nor a Terraform of it lives.
    boolean isDead(TerraformHost on) throws IOException {
        return !boot.equals(Processes.boot())
                || (!Processes.started(pid).equals(started) && on.working(folder).isEmpty());
    }

    boolean isThisProcess() {
        return pid == ProcessHandle.current().pid()
                && boot.equals(Processes.boot())
                && Processes.started(pid).equals(started);
    }
}
