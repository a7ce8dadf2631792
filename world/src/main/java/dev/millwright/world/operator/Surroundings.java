package dev.millwright.world.operator;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.spi.CloudTraits;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.cloud.CloudLine;
import dev.millwright.world.fault.Weather;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.store.ApiStore;
import dev.millwright.world.time.Agenda;

/// What the operator's replicas live in.
public record Surroundings(
        Agenda agenda,
        ApiStore store,
        CloudLine cloud,
        CloudTraits traits,
        Settings settings,
        Weather weather,
        Chance chance,
        SharedReading reading,
        Witness witness) {}
