package dev.millwright.providers.aws.api;

import java.math.BigDecimal;
import java.time.Instant;

public record SpotPrice(String instanceType, String zone, BigDecimal price, Instant at) {}
