package dev.millwright.cli;

import dev.millwright.cli.demo.KeyActions;
import dev.millwright.cli.demo.Keyboard;
import dev.millwright.cli.demo.LiveScreen;
import dev.millwright.cli.demo.Player;
import dev.millwright.cli.demo.ProgressLines;
import dev.millwright.cli.demo.ScreenSize;
import dev.millwright.cli.demo.Show;
import dev.millwright.cli.demo.StillPicture;
import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;
import dev.millwright.dashboard.page.PictureFeed;
import dev.millwright.dashboard.picture.Lookback;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.terminal.ViewState;
import dev.millwright.kube.time.Ticker;
import dev.millwright.runtime.process.StopSignal;
import dev.millwright.world.http.KubeFront;
import dev.millwright.world.http.Questions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// Plays a world for people to watch, in the terminal and on a page, and says at the end how it
/// went.
@Command(
        name = "demo",
        description = "Watch a simulated cluster grow, shrink and lose nodes. Nothing is needed.",
        footer = {
            "",
            "The page's address is printed; there pods can be added, Deployments scaled and",
            "nodes interrupted. In a terminal q or Ctrl-C ends it, and ? shows the keys.",
            "",
            "Examples:",
            "  millwright demo",
            "  millwright demo --seed 7 --speed 120",
            "  millwright demo --headless --for 20s -o json"
        })
final class DemoCommand implements Callable<Integer> {

    static final long SEED_DEFAULT = 1;
    static final double SPEED_DEFAULT = 60;

    /// Taken if it is free and no other was asked for, so that the address is the same each time.
    private static final int PORT_DEFAULT = 8642;

    /// Between two moments that the page can go back to, of the cluster's time.
    private static final Duration LOOKBACK_STEP = Duration.ofSeconds(30);

    private static final int PORT_MAX = 65_535;

    private final LongFunction<Show> shows;
    private final Terminal terminal;
    private final IntConsumer halt;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Option(
            names = "--for",
            paramLabel = "D",
            converter = DurationText.class,
            description = "End by itself after so long, e.g. 20s (default: until Ctrl-C).")
    private @Nullable Duration limit;

    @Option(
            names = "--headless",
            description = "No view in the terminal, and no page unless --port is given.")
    private boolean isHeadless;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Which story is told; the same number, the same story (default: 1).")
    private long seed = SEED_DEFAULT;

    @Option(
            names = "--speed",
            paramLabel = "N",
            description = "Seconds of the cluster for each of ours (default: 60).")
    private double speed = SPEED_DEFAULT;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "Where on 127.0.0.1 the page is; 0 for any that is free (default: 8642 if free).")
    private @Nullable Integer port;

    @Option(
            names = "--write-kubeconfig",
            paramLabel = "FILE",
            description =
                    "Write a new file with which kubectl speaks to the demo's cluster; it is removed at the end.")
    private @Nullable Path kubeconfig;

    @Option(
            names = {"--kubeconfig", "--context"},
            hidden = true)
    private @Nullable String otherCluster;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description =
                    "Write one picture of the story as an SVG, as soon as it can be told, and end.")
    private @Nullable Path pictureFile;

    @Mixin private OutputOptions output = new OutputOptions();

    DemoCommand(LongFunction<Show> shows, Terminal terminal, IntConsumer halt) {
        this.shows = shows;
        this.terminal = terminal;
        this.halt = halt;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        if (pictureFile != null) {
            Files.writeString(pictureFile, StillPicture.of(shows.apply(seed)));
            return 0;
        }
        var stop = new StopSignal();
        var exitCode = Failures.EXIT_CODE;
        try (var _ = Termination.watch(stop, halt)) {
            DemoSummary.of(seed, play(stop)).print(output.format(), terminal.out());
            exitCode = 0;
            return exitCode;
        } finally {
            terminal.flush();
            stop.end(exitCode);
        }
    }

    private void check() {
        if (!(speed >= Action.SPEED_MIN && speed <= Action.SPEED_MAX)) {
            throw wrong("--speed", speed, "a number from 0.1 to 3600");
        }
        if (port != null && (port < 0 || port > PORT_MAX)) {
            throw wrong("--port", port, "a number from 0 to " + PORT_MAX);
        }
        if (limit != null && limit.isZero()) {
            throw wrong("--for", "0s", "a duration above zero, such as 20s");
        }
        if (otherCluster != null) {
            throw wrong(
                    "--kubeconfig",
                    otherCluster,
                    "none, since the demo brings its own cluster; --write-kubeconfig FILE writes a file for it");
        }
        if (kubeconfig != null && Files.exists(kubeconfig, LinkOption.NOFOLLOW_LINKS)) {
            throw wrong("--write-kubeconfig", kubeconfig, "a file that does not exist yet");
        }
    }

    private CommandLine.ParameterException wrong(String option, Object found, String wanted) {
        return new CommandLine.ParameterException(
                spec.commandLine(), "%s: found %s; wanted %s".formatted(option, found, wanted));
    }

    private Picture play(StopSignal stop) throws IOException, InterruptedException {
        var show = shows.apply(seed);
        var ticker = Ticker.system();
        var player = new Player(show, ticker, speed);
        var feed = new PictureFeed(show.picture());
        var viewers = new ArrayList<Consumer<Picture>>();
        viewers.add(feed::show);
        var lookback = new Lookback(LOOKBACK_STEP);
        viewers.add(lookback::add);
        var content = Content.live(feed).withControls(player.controls()).withReel(lookback);
        var answers = show.answers();
        try (var _ = front(show, player);
                var server =
                        isHeadless && port == null
                                ? null
                                : server(
                                        answers == null ? content : content.withAnswers(answers))) {
            var address = server == null ? "" : server.address().toString();
            if (!address.isEmpty()) {
                terminal.note("the page is at " + address + (isHeadless ? "" : ", Ctrl-C ends"));
            }
            if (isHeadless) {
                return player.play(limit, stop::isRequested, viewers);
            }
            if (!terminal.isScreen()) {
                viewers.add(new ProgressLines(terminal::note, ticker));
                return player.play(limit, stop::isRequested, viewers);
            }
            return onScreen(player, stop, viewers, show.picture(), address);
        }
    }

    private Picture onScreen(
            Player player,
            StopSignal stop,
            List<Consumer<Picture>> viewers,
            Picture first,
            String address)
            throws InterruptedException {
        try (var size = new ScreenSize(terminal.environment(), terminal.isUnicode());
                var keyboard = Keyboard.open()) {
            var keys = new KeyActions(player.controls(), stop::request, first);
            Supplier<ViewState> state = keyboard == null ? () -> ViewState.STILL : keys;
            try (var screen =
                    new LiveScreen(
                            terminal.screen(), size, state, terminal.isColoured(), address)) {
                viewers.add(keys);
                viewers.add(screen);
                if (keyboard != null) {
                    keyboard.listen(keys);
                }
                return player.play(limit, stop::isRequested, viewers);
            }
        }
    }

    /// The demo's API. Whoever still asks when it closes is told that the demo has ended.
    private record Front(KubeFront server, Questions questions, NewFile kubeconfig)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            questions.close();
            server.close();
            kubeconfig.close();
        }
    }

    private @Nullable Front front(Show show, Player player) throws IOException {
        if (kubeconfig == null) {
            return null;
        }
        var front = KubeFront.open(show.store(), show::now, player.questions(), 0);
        try {
            var file = NewFile.write(kubeconfig, front.kubeconfig());
            terminal.note("kubectl --kubeconfig %s get nodes".formatted(kubeconfig));
            return new Front(front, player.questions(), file);
        } catch (IOException refused) {
            front.close();
            throw refused;
        }
    }

    private DashboardServer server(Content content) throws IOException {
        if (port != null) {
            return DashboardServer.start(port, content);
        }
        try {
            return DashboardServer.start(PORT_DEFAULT, content);
        } catch (IOException taken) {
            return DashboardServer.start(0, content);
        }
    }
}
