package dev.millwright.capi.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Where Terraform's folders lie and its processes run. What it answers was written by modules of
/// tenants, perhaps: it is bytes, of no more than the bounds that it is asked with.
public interface TerraformHost {

    /// @param root of all folders; nothing outside is written
    /// @param environment what every process of Terraform is given: how to get out and whom to
    ///   trust
    record About(TerraformBinary binary, Path root, SequencedMap<String, String> environment) {
        public About {
            environment = Collections.unmodifiableSequencedMap(new TreeMap<>(environment));
        }
    }

    About about();

    /// As long as it is open, a host that is told to end waits.
    Hold hold() throws IOException;

    /// A run that goes on.
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    void makeFolder(Path folder) throws IOException;

    /// The first bytes, at most that many. Empty where there is no such file.
    byte[] read(Path file, int bytesMax) throws IOException;

    /// In one piece, with the folders above it: who dies leaves the old file or the new one.
    void write(Path file, byte[] bytes) throws IOException;

    /// A file, or a folder with all that is in it; nothing where there is none.
    void delete(Path tree) throws IOException;

    boolean isFolder(Path folder) throws IOException;

    /// Names of the files in a folder, in order. Links are none.
    List<String> files(Path folder) throws IOException;

    /// Names of the folders in a folder, in order; none where there is no such folder.
    List<String> folders(Path folder) throws IOException;

    /// Of everything under the folder that decides what is initialised.
    ///
    /// @param except names of files that hold values, not configuration
    String checksum(Path tree, Set<String> except, String more) throws IOException;

    /// A folder with all that is in it. The first may be a link.
    void copy(Path from, Path to) throws IOException;

    /// A process of Terraform.
    ///
    /// @param isPlugin whether it serves another and nobody once that is gone
    record Working(long pid, boolean isPlugin) {}

    /// All that work in the folder or under it, in the order of their ids.
    List<Working> working(Path folder) throws IOException;

    /// Asks all of them to end, or ends them.
    void end(Path folder, boolean isForced) throws IOException;

    /// @param folder where it works
    /// @param out where its words go, and not to us, so that it can go on and be heard when we die
    /// @param interruptWait how long an interrupted one may take to save its state
    record Command(
            Path folder,
            List<String> arguments,
            SequencedMap<String, String> environment,
            Path out,
            Path errors,
            Duration interruptWait) {
        public Command {
            arguments = List.copyOf(arguments);
            environment = Collections.unmodifiableSequencedMap(new TreeMap<>(environment));
        }

        public static Command of(
                Path folder,
                List<String> arguments,
                Map<String, String> environment,
                Path logs,
                Duration interruptWait) {
            var name = arguments.getFirst();
            return new Command(
                    folder,
                    arguments,
                    new TreeMap<>(environment),
                    logs.resolve(name + ".out"),
                    logs.resolve(name + ".err"),
                    interruptWait);
        }
    }

    /// @param exit as the shell tells it: 137 for one that was killed
    record Ended(int exit, String errors, boolean wasInterrupted) {}

    /// Who waits for a command.
    interface Observer {
        void line(String line) throws IOException;

        /// Several times a second.
        void tick() throws IOException;

        /// Whether it is to end soon.
        boolean isInterrupted();
    }

    /// Returns when the command has ended. One that nobody waits for any more goes on.
    Ended run(Command command, Observer observer) throws IOException, InterruptedException;
}
