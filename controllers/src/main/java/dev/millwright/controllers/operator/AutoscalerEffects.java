package dev.millwright.controllers.operator;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RegistrationHook;

import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Carries out the effects that only the autoscaler has, by a cloud.
///
/// @param decisions hears each decision as it is made
public record AutoscalerEffects(CloudProvider cloud, Consumer<Deliberation> decisions)
        implements Outside.Externals {

    /// Where nobody records or shows decisions.
    public AutoscalerEffects(CloudProvider cloud) {
        this(cloud, _ -> {});
    }

    @Override
    public Step carryOut(Effect.External effect) {
        if (effect instanceof AutoscalerEffect own) {
            return carryOut(own);
        }
        throw new IllegalArgumentException("%s is no effect of the autoscaler".formatted(effect));
    }

    private Step carryOut(AutoscalerEffect effect) {
        return switch (effect) {
            case AutoscalerEffect.Launch(var claim, var then) -> then.apply(cloud.launch(claim));
            case AutoscalerEffect.Terminate(var claim, var then) ->
                    then.apply(cloud.terminate(claim));
            case AutoscalerEffect.Reboot(var claim, var operation, var then) ->
                    then.apply(cloud.reboot(claim, operation));
            case AutoscalerEffect.Find(var providerId, var then) ->
                    then.apply(cloud.find(providerId));
            case AutoscalerEffect.ListMachines(var then) -> then.apply(cloud.list());
            case AutoscalerEffect.AskDrift(var claim, var then) -> then.apply(cloud.drift(claim));
            case AutoscalerEffect.AskNotices(var then) -> then.apply(cloud.notices());
            case AutoscalerEffect.AskHooks(var claim, var then) -> then.apply(hooks(claim));
            case AutoscalerEffect.Decided(var deliberation) -> {
                decisions.accept(deliberation);
                yield Step.DONE;
            }
        };
    }

    private SequencedMap<String, RegistrationHook.Answer> hooks(MachineClaim claim) {
        var answers = new TreeMap<String, RegistrationHook.Answer>();
        for (var hook : cloud.registrationHooks()) {
            answers.put(hook.name(), hook.registered(claim));
        }
        return answers;
    }
}
