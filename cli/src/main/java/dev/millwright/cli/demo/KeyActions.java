package dev.millwright.cli.demo;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.terminal.ViewState;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What each key does: to the view at once, to the show by the same requests as the page's.
public final class KeyActions implements Supplier<ViewState>, Consumer<Picture> {

    private static final double STEP = 2;

    private final Controls controls;
    private final Runnable quit;
    private final AtomicReference<ViewState> state = new AtomicReference<>(ViewState.FIRST);
    private final AtomicReference<Picture.Pace> pace;

    public KeyActions(Controls controls, Runnable quit, Picture first) {
        this.controls = controls;
        this.quit = quit;
        this.pace = new AtomicReference<>(first.pace());
    }

    /// How the view is to be painted next.
    @Override
    public ViewState get() {
        return state.get();
    }

    /// The newest picture, whose pace the next key changes.
    @Override
    public void accept(Picture picture) {
        pace.set(picture.pace());
    }

    void press(Key key) throws InterruptedException {
        switch (key) {
            case QUIT -> quit.run();
            case PAUSE -> controls.carryOut(new Action.Pause(!pace.get().isPaused()));
            case SLOWER -> run(pace.get().speed() / STEP);
            case FASTER -> run(pace.get().speed() * STEP);
            case HELP -> state.updateAndGet(ViewState::withHelpToggled);
            case LEGEND -> state.updateAndGet(ViewState::withLegendToggled);
            case ORDER -> state.updateAndGet(ViewState::withNextOrder);
            case UP -> state.updateAndGet(each -> each.scrolled(-1));
            case DOWN -> state.updateAndGet(each -> each.scrolled(1));
        }
    }

    private void run(double speed) throws InterruptedException {
        controls.carryOut(new Action.Speed(Math.clamp(speed, Action.SPEED_MIN, Action.SPEED_MAX)));
    }
}
