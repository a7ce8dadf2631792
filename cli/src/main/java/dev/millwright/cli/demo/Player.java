package dev.millwright.cli.demo;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.kube.time.Ticker;
import dev.millwright.world.http.Questions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Plays a show: lets its time run at its pace, shows a picture of it now and then, and carries out
/// what visitors ask for. All of it in the thread that calls [#play].
public final class Player {

    /// Between two pictures.
    static final Duration FRAME = Duration.ofMillis(100);

    /// So much of our time's worth is played at a stretch, so that a slow show still shows.
    private static final Duration STRETCH = Duration.ofMillis(10);

    /// Visitors and questions are looked for in turns of this length.
    private static final Duration TURN = Duration.ofMillis(5);

    /// Questions answered in one turn, so that a busy client does not stop the show.
    private static final int ANSWERS_MAX = 50;

    private final Show show;
    private final Ticker ticker;
    private final Requests requests = new Requests();
    private final Questions questions = new Questions();
    private final Pace pace;

    public Player(Show show, Ticker ticker, double speed) {
        this.show = show;
        this.ticker = ticker;
        this.pace = new Pace(show.now(), ticker.nanos(), speed);
    }

    /// For threads other than the one that plays.
    public Controls controls() {
        return requests;
    }

    /// For threads that speak to the show's cluster as to any other.
    public Questions questions() {
        return questions;
    }

    /// Until the time is over, which is ours and not the show's, or until told to stop. Returns how
    /// it stood then.
    public Picture play(
            @Nullable Duration limit, BooleanSupplier isOver, List<Consumer<Picture>> viewers)
            throws InterruptedException {
        var began = ticker.nanos();
        pace.isAt(show.now(), began);
        while (!isOver.getAsBoolean() && !isPast(limit, began)) {
            var frameEnds = ticker.nanos() + FRAME.toNanos();
            shown(viewers);
            playUntil(frameEnds);
            rest(frameEnds);
        }
        return shown(viewers);
    }

    private boolean isPast(@Nullable Duration limit, long began) {
        return limit != null && ticker.nanos() - began >= limit.toNanos();
    }

    /// Plays what is due, but not past the end of the frame.
    private void playUntil(long frameEnds) {
        var stretch = Duration.ofNanos((long) (STRETCH.toNanos() * pace.speed()));
        while (show.now().isBefore(pace.target(ticker.nanos()))) {
            if (ticker.nanos() >= frameEnds) {
                pace.isAt(show.now(), ticker.nanos());
                return;
            }
            var target = pace.target(ticker.nanos());
            var next = show.now().plus(stretch);
            show.playUntil(next.isBefore(target) ? next : target);
        }
    }

    private Picture shown(List<Consumer<Picture>> viewers) {
        var picture = show.picture().withPace(pace.shown(show.now()));
        viewers.forEach(viewer -> viewer.accept(picture));
        return picture;
    }

    /// What visitors ask for is done at once and seen in the next picture.
    private void rest(long frameEnds) throws InterruptedException {
        var isAsked = false;
        do {
            var left = Math.max(0, frameEnds - ticker.nanos());
            var wait = Math.min(left, TURN.toNanos());
            isAsked = requests.serve(Duration.ofNanos(wait), this::carryOut);
            answerAll();
        } while (!isAsked && ticker.nanos() < frameEnds);
    }

    private void answerAll() throws InterruptedException {
        var answered = 0;
        while (answered < ANSWERS_MAX && questions.answer(Duration.ZERO)) {
            answered++;
        }
    }

    private Outcome carryOut(Action action) {
        return switch (action) {
            case Action.Pause(var wanted) -> {
                pace.pause(wanted, ticker.nanos());
                yield new Outcome.Done(wanted ? "Time stands still." : "Time goes on.");
            }
            case Action.Speed(var wanted) -> {
                pace.speed(wanted, ticker.nanos());
                yield new Outcome.Done(
                        "Time runs %s times as fast as ours.".formatted(text(wanted)));
            }
            case Action.AddPods _, Action.Scale _, Action.Interrupt _, Action.Freeze _ ->
                    show.carryOut(action);
        };
    }

    private static String text(double number) {
        return number == Math.rint(number) ? "%.0f".formatted(number) : "%.1f".formatted(number);
    }
}
