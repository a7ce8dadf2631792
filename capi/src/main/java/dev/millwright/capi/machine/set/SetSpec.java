package dev.millwright.capi.machine.set;

import dev.millwright.capi.machine.object.Refusal;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.object.RawObject;

import java.time.Duration;

/// What a set is told.
///
/// @param fault what is wrong with it, for a person; empty when nothing is
record SetSpec(int replicas, Template template, Duration minReady, String fault) {

    static SetSpec of(RawObject set) {
        var faults = new Faults();
        var spec = set.root(faults).at("spec");
        var replicas = spec.at("replicas").whole(0, Integer.MAX_VALUE, 1);
        var template = Template.of(spec);
        if (!template.isMatched()) {
            spec.at("selector")
                    .fault(
                            "does not select machines of the template; wanted labels of spec.template.metadata");
        }
        return new SetSpec(
                replicas,
                template,
                Duration.ofSeconds(spec.at("minReadySeconds").whole(0, Integer.MAX_VALUE, 0)),
                Refusal.of(faults));
    }
}
