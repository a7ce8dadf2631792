package dev.millwright.world.operator;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.providers.sim.cloud.Timed;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.Descriptions;
import dev.millwright.runtime.loop.Endings;
import dev.millwright.runtime.loop.Learning;
import dev.millwright.runtime.loop.StepRun;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.NoticesAnswer;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.world.cloud.CloudLine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// A step being carried out in a world: effect by effect, each answer in its own time.
final class Errand {

    static final String THREW = "a step threw, which is a bug; it is tried again";

    private final OperatorProcess process;
    private final String controller;
    private final String by;
    private final StepRun run;
    private final Consumer<Ending> ended;

    Errand(OperatorProcess process, String controller, Step step, Consumer<Ending> ended) {
        this.process = process;
        this.controller = controller;
        this.by = process.name() + "/" + controller;
        this.run = new StepRun(step);
        this.ended = ended;
    }

    /// Goes on until the step ends or an answer must be waited for.
    void go() {
        for (var effect = run.next(); effect != null; effect = run.next()) {
            if (!isDoneAtOnce(effect)) {
                return;
            }
        }
        ended.accept(run.ending());
    }

    /// Whether the effect was carried out; if not, an answer goes on with it.
    private boolean isDoneAtOnce(Effect effect) {
        switch (effect) {
            case Effect.Write(var write, var then) -> {
                return isRefused() || !send(write, then);
            }
            case AutoscalerEffect own -> {
                return isDoneAtOnce(own);
            }
            case Effect.External other ->
                    throw new IllegalArgumentException(
                            "%s is no effect of the autoscaler".formatted(other));
            case Effect.Together(var steps, var atOnce) -> {
                return new Branches(steps, atOnce).areDoneAtOnce();
            }
            case Effect.Ask<?> ask -> run.follow(ask.answered());
            case Effect.Publish(var event) -> {
                if (process.mayAct()) {
                    process.publish(event);
                }
            }
            case Effect.Count _, Effect.Observe _, Effect.Gauges _ -> {}
            case Effect.Say(var level, var message, var keyValues) ->
                    process.say(level, message, keyValues);
            case Effect.Remember(_, var note) -> note.run();
            case Effect.Enqueue(var other, var key) -> process.ring(other, key);
        }
        return true;
    }

    private boolean isDoneAtOnce(AutoscalerEffect effect) {
        switch (effect) {
            case AutoscalerEffect.Launch(var claim, var then) -> {
                if (isRefused()) {
                    return true;
                }
                acted("launch " + claim.name());
                return await(cloud().launch(by, claim), then);
            }
            case AutoscalerEffect.Terminate(var claim, var then) -> {
                if (isRefused()) {
                    return true;
                }
                acted("terminate " + claim.name());
                return await(cloud().terminate(by, claim), then);
            }
            case AutoscalerEffect.Reboot(_, _, var then) ->
                    run.follow(then.apply(new RebootAnswer.Unsupported()));
            case AutoscalerEffect.Find(var providerId, var then) -> {
                return await(cloud().find(by, providerId), then);
            }
            case AutoscalerEffect.ListMachines(var then) -> {
                return await(cloud().list(by), then);
            }
            case AutoscalerEffect.AskDrift(var claim, var then) ->
                    run.follow(then.apply(cloud().drift(claim)));
            case AutoscalerEffect.AskNotices(var then) ->
                    run.follow(then.apply(new NoticesAnswer.Notices(cloud().notices())));
            case AutoscalerEffect.AskHooks(_, var then) -> run.follow(then.apply(new TreeMap<>()));
            case AutoscalerEffect.Decided(var deliberation) -> process.decided(deliberation);
        }
        return true;
    }

    private CloudLine cloud() {
        return process.world().cloud();
    }

    /// A process that no longer leads must not change anything. Returns whether the step ended so.
    private boolean isRefused() {
        if (process.mayAct()) {
            return false;
        }
        run.end(new Ending.Retry());
        return true;
    }

    private void acted(String what) {
        process.acted(controller, what);
    }

    /// Returns whether it was sent.
    private boolean send(ApiWrite write, Function<ApiAnswer, Step> then) {
        acted(Descriptions.of(write));
        process.api()
                .write(
                        process.life(),
                        by,
                        write,
                        answer -> {
                            if (answer instanceof ApiAnswer.Done(var object)) {
                                Learning.learn(process.view(), write, object);
                            }
                            follow(then, answer);
                        });
        process.mayCrash();
        return true;
    }

    /// False: the answer comes later.
    private <A> boolean await(Timed<A> timed, Function<A, Step> then) {
        process.life().at(timed.at(), () -> follow(then, timed.answer()));
        process.mayCrash();
        return false;
    }

    private <A> void follow(Function<A, Step> then, A answer) {
        try {
            run.follow(then.apply(answer));
        } catch (RuntimeException bug) {
            process.say(
                    LogLevel.ERROR,
                    THREW,
                    List.of("controller", controller, "error", bug, "at", Loop.at(bug)));
            run.end(new Ending.Retry());
        }
        go();
    }

    /// Steps that are carried out side by side, a bounded number at once.
    private final class Branches {
        private final List<Step> steps;
        private final int atOnce;
        private final List<Ending> endings = new ArrayList<>();
        private int begun;
        private boolean isBeginning = true;

        private Branches(List<Step> steps, int atOnce) {
            this.steps = steps;
            this.atOnce = Math.max(1, atOnce);
        }

        private boolean areDoneAtOnce() {
            begin();
            isBeginning = false;
            if (endings.size() < steps.size()) {
                return false;
            }
            followGravest();
            return true;
        }

        private void begin() {
            while (begun < steps.size() && begun - endings.size() < atOnce) {
                new Errand(process, controller, steps.get(begun++), this::ended).go();
            }
        }

        private void ended(Ending ending) {
            endings.add(ending);
            if (isBeginning) {
                return; // The loop that began it goes on.
            }
            if (endings.size() == steps.size()) {
                followGravest();
                go();
            } else {
                isBeginning = true;
                begin();
                isBeginning = false;
                if (endings.size() == steps.size()) {
                    followGravest();
                    go();
                }
            }
        }

        private void followGravest() {
            run.follow(new Step(List.of(), Endings.gravest(endings)));
        }
    }
}
