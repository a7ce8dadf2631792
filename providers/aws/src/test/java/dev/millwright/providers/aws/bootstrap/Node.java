package dev.millwright.providers.aws.bootstrap;

import dev.millwright.core.label.Taint;
import dev.millwright.providers.aws.bootstrap.BootstrapInput.ClusterAccess;
import dev.millwright.providers.aws.nodeclass.ClassText;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A node to be started, of a class of which only the spec is told.
record Node(
        String spec,
        String status,
        Map<String, String> labels,
        List<Taint> taints,
        @Nullable String cidr,
        String dns) {

    static Node of(String spec) {
        return new Node(spec, "{}", Map.of(), List.of(), "10.100.0.0/16", "10.100.0.10");
    }

    Node labelled(String key, String value) {
        var more = new TreeMap<>(labels);
        more.put(key, value);
        return new Node(spec, status, more, taints, cidr, dns);
    }

    Node tainted(Taint... taints) {
        return new Node(spec, status, labels, List.of(taints), cidr, dns);
    }

    Node withStatus(String status) {
        return new Node(spec, status, labels, taints, cidr, dns);
    }

    Node withoutCidr() {
        return new Node(spec, status, labels, taints, null, dns);
    }

    Node withDns(String dns) {
        return new Node(spec, status, labels, taints, cidr, dns);
    }

    UserData userData() {
        var read =
                new ClassText(
                                "metadata: {name: default}\nspec: %s\nstatus: %s"
                                        .formatted(spec, status))
                        .read();
        var family = read.spec().family();
        return UserData.of(
                family,
                new BootstrapInput(
                        new ClusterAccess("mill", "https://mill.example", "Y2E=", cidr),
                        NodeMarks.labels(labels, "spot", family),
                        NodeMarks.taints(taints, List.of()),
                        read.spec().kubelet().resolved(29, dns),
                        read.spec().isRaid0(),
                        read.spec().userData(),
                        BottlerocketVersion.of(
                                read.spec().amiSelectorTerms(), read.status().amis())));
    }

    String text() {
        return switch (userData()) {
            case UserData.Written(var text, _) -> text;
            case UserData.Invalid(var problem) -> throw new AssertionError(problem);
            case UserData.NotReady(var problem) -> throw new AssertionError(problem);
        };
    }
}
