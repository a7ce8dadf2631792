package dev.millwright.capi.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// Processes of this machine, found by where they work: a Terraform whose manager was killed goes
/// on, and nobody else knows of it.
public final class Processes {

    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /// All that work in the folder or under it, in the order of their ids.
    static List<ProcessHandle> in(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(each -> each.pid() != ProcessHandle.current().pid())
                .filter(each -> worksIn(each, folder))
                .sorted(Comparator.comparingLong(ProcessHandle::pid))
                .toList();
    }

    private static boolean worksIn(ProcessHandle process, Path folder) {
        try {
            return Files.readSymbolicLink(PROC.resolve(Long.toString(process.pid())).resolve("cwd"))
                    .startsWith(folder);
        } catch (IOException | UnsupportedOperationException goneOrForeign) {
            return false;
        }
    }

    /// Whether it is one of Terraform's plug-ins, which serve nobody once it is gone.
    static boolean isPlugin(ProcessHandle process) {
        return process.info()
                .command()
                .map(each -> each.contains("terraform-provider-"))
                .orElse(false);
    }

    /// When the process began, as the machine counts it: an id may be given again, the pair not.
    /// Empty when there is no such process.
    public static String started(long pid) {
        try {
            var stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[0].equals("Z") ? "" : fields[19];
        } catch (IOException goneOrOtherSystem) {
            return ProcessHandle.of(pid)
                    .flatMap(each -> each.info().startInstant())
                    .map(each -> Long.toString(each.toEpochMilli()))
                    .orElse("");
        }
    }

    public static String boot() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException otherSystem) {
            return "unknown";
        }
    }
}
