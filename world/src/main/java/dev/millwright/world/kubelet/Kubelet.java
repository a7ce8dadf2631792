package dev.millwright.world.kubelet;

import dev.millwright.core.label.Taint;

import java.util.ArrayList;
import java.util.List;

/// The kubelet of one node, and what it cannot say while it is cut off.
final class Kubelet {

    private final String node;
    private final String providerId;
    private final List<Taint> startupTaints;
    private final List<Runnable> unsaid = new ArrayList<>();
    private boolean isSilent;
    private boolean isDead;
    private boolean isUp;

    Kubelet(String node, String providerId, List<Taint> startupTaints) {
        this.node = node;
        this.providerId = providerId;
        this.startupTaints = List.copyOf(startupTaints);
    }

    String node() {
        return node;
    }

    String providerId() {
        return providerId;
    }

    List<Taint> startupTaints() {
        return startupTaints;
    }

    /// Whether the node has once become ready: what the kubelet says when it is heard again.
    boolean isUp() {
        return isUp;
    }

    void up() {
        isUp = true;
    }

    boolean isHeard() {
        return !isSilent && !isDead;
    }

    boolean isDead() {
        return isDead;
    }

    void silence() {
        isSilent = true;
    }

    void die() {
        isDead = true;
        unsaid.clear();
    }

    /// Does it now, or when the kubelet can be heard again; never, if it is dead.
    void say(Runnable act) {
        if (isHeard()) {
            act.run();
        } else if (!isDead) {
            unsaid.add(act);
        }
    }

    void heal() {
        isSilent = false;
        var acts = List.copyOf(unsaid);
        unsaid.clear();
        acts.forEach(Runnable::run);
    }
}
