package dev.millwright.runtime.loop;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// Carries out effects, one after another, and hands each answer back to the step that asked.
public final class EffectRunner {

    private final View view;
    private final Outside outside;
    private final Branches branches;

    /// How steps that do not depend on each other are carried out.
    @FunctionalInterface
    public interface Branches {
        List<Ending> run(List<Supplier<Ending>> steps, int atOnce);

        /// One after another, for tests that want one order.
        Branches IN_ORDER = (steps, _) -> steps.stream().map(Supplier::get).toList();
    }

    public EffectRunner(View view, Outside outside, Branches branches) {
        this.view = view;
        this.outside = outside;
        this.branches = branches;
    }

    public Ending run(Step step) {
        var run = new StepRun(step);
        for (var effect = run.next(); effect != null; effect = run.next()) {
            carryOut(effect, run);
        }
        return run.ending();
    }

    private void carryOut(Effect effect, StepRun run) {
        switch (effect) {
            case Effect.Write(var write, var then) -> write(write, then, run);
            case Effect.External external -> carryOut(external, run);
            case Effect.Ask<?> ask -> ask(ask, run);
            case Effect.Publish(var event) -> {
                if (mayChange()) {
                    outside.events().accept(event);
                }
            }
            case Effect.Count(var family, var amount, var labels) ->
                    outside.meter().count(family, amount, labels);
            case Effect.Observe(var family, var value, var labels) ->
                    outside.meter().observe(family, value, labels);
            case Effect.Gauges(var owner, var samples) -> outside.meter().replace(owner, samples);
            case Effect.Say(var level, var message, var keyValues) ->
                    outside.diary().say(level, message, keyValues);
            case Effect.Remember(_, var note) -> note.run();
            case Effect.Enqueue(var controller, var key) -> outside.bell().ring(controller, key);
            case Effect.Together(var steps, var atOnce) ->
                    run.follow(new Step(List.of(), together(steps, atOnce)));
        }
    }

    private void carryOut(Effect.External effect, StepRun run) {
        var change = effect.change();
        if (change.isEmpty()) {
            run.follow(outside.externals().carryOut(effect));
        } else {
            change(change, run, () -> outside.externals().carryOut(effect));
        }
    }

    private void ask(Effect.Ask<?> ask, StepRun run) {
        switch (ask.touch()) {
            case READS -> run.follow(ask.answered());
            case CHANGES -> change(List.of("what", ask.what()), run, ask::answered);
        }
    }

    private boolean mayChange() {
        return outside.mode() == Outside.Mode.ACT && outside.mayAct().getAsBoolean();
    }

    private void write(ApiWrite write, Function<ApiAnswer, Step> then, StepRun run) {
        if (outside.mode() == Outside.Mode.DRY_RUN) {
            outside.diary()
                    .say(LogLevel.INFO, "would write", List.of("write", Descriptions.of(write)));
            run.end(new Ending.Stop());
        } else if (!outside.mayAct().getAsBoolean()) {
            run.end(new Ending.Retry());
        } else {
            var answer = outside.api().write(write);
            if (answer instanceof ApiAnswer.Done(var object)) {
                Learning.learn(view, write, object);
            }
            run.follow(then.apply(answer));
        }
    }

    private void change(List<Object> what, StepRun run, Supplier<Step> ask) {
        if (outside.mode() == Outside.Mode.DRY_RUN) {
            outside.diary().say(LogLevel.INFO, "would ask the cloud", what);
            run.end(new Ending.Stop());
        } else if (!outside.mayAct().getAsBoolean()) {
            run.end(new Ending.Retry());
        } else {
            run.follow(ask.get());
        }
    }

    private Ending together(List<Step> steps, int atOnce) {
        var runs = new ArrayList<Supplier<Ending>>();
        steps.forEach(step -> runs.add(() -> run(step)));
        return Endings.gravest(branches.run(runs, atOnce));
    }
}
