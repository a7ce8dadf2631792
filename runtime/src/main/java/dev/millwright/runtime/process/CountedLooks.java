package dev.millwright.runtime.process;

import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.loop.Loops;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.LoopFamilies;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Step.Ending;

import java.time.Duration;
import java.util.List;

/// Each controller's lines bear its name, and its looks are counted for it.
public record CountedLooks(Meter meter, Log log) implements Loops.Tuning {

    @Override
    public Outside of(String controller, Outside outside) {
        var own = log.with("controller", controller);
        return outside.withDiary(
                (level, message, keyValues) -> own.say(level, message, keyValues.toArray()));
    }

    @Override
    public void ended(String controller, Ending ending, Duration took) {
        meter.count(LoopFamilies.RECONCILES, 1, List.of(controller, result(ending)));
        meter.observe(LoopFamilies.RECONCILE_TIME, took.toNanos() / 1e9, List.of(controller));
        if (ending instanceof Ending.Failed) {
            meter.count(LoopFamilies.RECONCILE_ERRORS, 1, List.of(controller));
        }
    }

    private static String result(Ending ending) {
        return switch (ending) {
            case Ending.Done(), Ending.Stop() -> "success";
            case Ending.Again _ -> "requeue_after";
            case Ending.Retry() -> "requeue";
            case Ending.Failed _ -> "error";
        };
    }
}
