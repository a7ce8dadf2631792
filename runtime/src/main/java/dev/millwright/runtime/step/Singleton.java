package dev.millwright.runtime.step;

import dev.millwright.core.cluster.ObjectName;

import java.util.List;

/// A controller that has one thing to look at, from the start and then when it says so itself.
public interface Singleton extends Controller {

    @Override
    default List<Watch<?>> watches() {
        return List.of();
    }

    @Override
    default Pace pace() {
        return Pace.of(1);
    }

    @Override
    default List<ObjectName> initialKeys() {
        return List.of(SINGLETON);
    }
}
