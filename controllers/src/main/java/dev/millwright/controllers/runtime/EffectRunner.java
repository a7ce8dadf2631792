package dev.millwright.controllers.runtime;

import dev.millwright.controllers.log.LogLevel;
import dev.millwright.controllers.step.Effect;
import dev.millwright.controllers.step.Step;
import dev.millwright.controllers.step.Step.Ending;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Value;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RegistrationHook;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
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
        for (var effect : step.effects()) {
            var ending = run(effect);
            if (!(ending instanceof Ending.Done)) {
                return ending;
            }
        }
        return step.ending();
    }

    private Ending run(Effect effect) {
        return switch (effect) {
            case Effect.Write(var write, var then) -> write(write, then);
            case Effect.Launch(var claim, var then) ->
                    change("launch", claim, () -> then.apply(outside.cloud().launch(claim)));
            case Effect.Terminate(var claim, var then) ->
                    change("terminate", claim, () -> then.apply(outside.cloud().terminate(claim)));
            case Effect.Find(var providerId, var then) ->
                    run(then.apply(outside.cloud().find(providerId)));
            case Effect.ListMachines(var then) -> run(then.apply(outside.cloud().list()));
            case Effect.AskDrift(var claim, var then) ->
                    run(then.apply(outside.cloud().drift(claim)));
            case Effect.AskHooks(var claim, var then) -> run(then.apply(hooks(claim)));
            case Effect.Publish(var event) -> {
                if (mayChange()) {
                    outside.events().accept(event);
                }
                yield new Ending.Done();
            }
            case Effect.Count(var family, var amount, var labels) -> {
                outside.meter().count(family, amount, labels);
                yield new Ending.Done();
            }
            case Effect.Observe(var family, var value, var labels) -> {
                outside.meter().observe(family, value, labels);
                yield new Ending.Done();
            }
            case Effect.Gauges(var owner, var samples) -> {
                outside.meter().replace(owner, samples);
                yield new Ending.Done();
            }
            case Effect.Say(var level, var message, var keyValues) -> {
                outside.diary().say(level, message, keyValues);
                yield new Ending.Done();
            }
            case Effect.Remember(_, var note) -> {
                note.run();
                yield new Ending.Done();
            }
            case Effect.Enqueue(var controller, var key) -> {
                outside.bell().ring(controller, key);
                yield new Ending.Done();
            }
            case Effect.Together(var steps, var atOnce) -> together(steps, atOnce);
        };
    }

    private boolean mayChange() {
        return outside.mode() == Outside.Mode.ACT && outside.mayAct().getAsBoolean();
    }

    private Ending write(ApiWrite write, Function<ApiAnswer, Step> then) {
        if (outside.mode() == Outside.Mode.DRY_RUN) {
            outside.diary()
                    .say(LogLevel.INFO, "would write", List.of("write", Descriptions.of(write)));
            return new Ending.Stop();
        }
        if (!outside.mayAct().getAsBoolean()) {
            return new Ending.Retry();
        }
        var answer = outside.api().write(write);
        if (answer instanceof ApiAnswer.Done(var object)) {
            learn(write, object);
        }
        return run(then.apply(answer));
    }

    private Ending change(String what, MachineClaim claim, Supplier<Step> ask) {
        if (outside.mode() == Outside.Mode.DRY_RUN) {
            outside.diary()
                    .say(
                            LogLevel.INFO,
                            "would ask the cloud",
                            List.of("what", what, "NodeClaim", claim.name()));
            return new Ending.Stop();
        }
        return outside.mayAct().getAsBoolean() ? run(ask.get()) : new Ending.Retry();
    }

    /// The answer is the newest there is of the object. A Status in its place says that it is gone.
    private void learn(ApiWrite write, Value.Mapping object) {
        if (write instanceof ApiWrite.Evict) {
            return;
        }
        var isStatus =
                object.fields().get("kind") instanceof Value.Text(_, var kind)
                        && kind.equals("Status");
        for (var cache : view.caches(write.type())) {
            if (!isStatus) {
                cache.put(object);
            } else if (write instanceof ApiWrite.Delete(_, var name, _, _)) {
                var known = cache.find(name);
                if (known != null && known.meta().uid().equals(deletedUid(object))) {
                    cache.forget(name, known.meta().uid());
                }
            }
        }
    }

    private static String deletedUid(Value.Mapping status) {
        return status.fields().get("details") instanceof Value.Mapping(_, var details)
                        && details.get("uid") instanceof Value.Text(_, var uid)
                ? uid
                : "";
    }

    private SequencedMap<String, RegistrationHook.Answer> hooks(MachineClaim claim) {
        var answers = new TreeMap<String, RegistrationHook.Answer>();
        for (var hook : outside.cloud().registrationHooks()) {
            answers.put(hook.name(), hook.registered(claim));
        }
        return answers;
    }

    private Ending together(List<Step> steps, int atOnce) {
        var runs = new ArrayList<Supplier<Ending>>();
        steps.forEach(step -> runs.add(() -> run(step)));
        return Endings.gravest(branches.run(runs, atOnce));
    }
}
