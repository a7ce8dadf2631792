package dev.millwright.world.scenario;

import java.time.Duration;

/// One line of a script: when, counted from the start, what, and the same in words.
public record Line(Duration at, Deed deed, String words) {}
