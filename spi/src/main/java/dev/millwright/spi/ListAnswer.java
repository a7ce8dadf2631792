package dev.millwright.spi;

import java.util.List;

/// All machines of this cluster, or why they cannot be told. A failed list is no empty list:
/// whoever mixes them up deletes a fleet.
public sealed interface ListAnswer {

    record Machines(List<Machine> machines) implements ListAnswer {
        public Machines {
            machines = List.copyOf(machines);
        }
    }

    record Failed(String message) implements ListAnswer {}
}
