package dev.millwright.testing.architecture.broken.core.quantity;

import dev.millwright.testing.architecture.broken.core.label.Knotted;

import org.assertj.core.api.Assertions;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;

/// Everything that core must not be.
public final class Impure {

    public Clock clock = Clock.systemUTC();
    public Random random = new Random(1);
    public Logger logger = Logger.getLogger("impure");
    public URI address = URI.create("http://localhost");
    public File file = new File("impure");
    public Path path = Path.of("impure");
    public Knotted later = new Knotted();

    public Instant now() {
        return Instant.now();
    }

    public long nanos() {
        return System.nanoTime();
    }

    public long millis() {
        return System.currentTimeMillis();
    }

    public double chance() {
        return Math.random();
    }

    public int lots() {
        return ThreadLocalRandom.current().nextInt();
    }

    public void print() {
        System.out.println("impure");
    }

    public void claim() {
        Assertions.assertThat(nanos()).isPositive();
    }
}
