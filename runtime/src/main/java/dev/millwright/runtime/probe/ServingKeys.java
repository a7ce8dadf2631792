package dev.millwright.runtime.probe;

import dev.millwright.kube.certificate.Credentials;
import dev.millwright.kube.certificate.RotatingKeys;
import dev.millwright.kube.certificate.ServerIdentity;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.runtime.log.Log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/// The certificate of a server of ours, and its renewal while the server runs.
final class ServingKeys implements AutoCloseable {

    /// Between two looks whether the certificate is to be followed by another.
    private static final Duration RECHECK = Duration.ofMinutes(1);

    /// Where certificates come from.
    @FunctionalInterface
    interface Source {

        /// A new identity; null while the one before is good.
        ///
        /// @throws IOException when there is none; its message is for a person
        @Nullable ServerIdentity next(Instant now) throws IOException;

        /// Made here, trusted by nobody who does not choose to.
        static Source ownMaking(List<String> names) {
            return new OwnMaking(names);
        }

        /// A directory as a Secret is mounted: `tls.crt` and `tls.key`.
        static Source directory(Path directory) {
            return new Directory(directory.resolve("tls.crt"), directory.resolve("tls.key"));
        }
    }

    private static final class OwnMaking implements Source {
        private final List<String> names;
        private @Nullable Credentials credentials;

        OwnMaking(List<String> names) {
            this.names = List.copyOf(names);
        }

        @Override
        public @Nullable ServerIdentity next(Instant now) {
            if (credentials != null && !credentials.isDue(names, now)) {
                return null;
            }
            credentials =
                    credentials == null
                            ? Credentials.founded(null, names, now)
                            : credentials.renewed(names, now);
            return credentials.identity();
        }
    }

    private static final class Directory implements Source {
        private final Path certificate;
        private final Path key;
        private String known = "";

        Directory(Path certificate, Path key) {
            this.certificate = certificate;
            this.key = key;
        }

        @Override
        public @Nullable ServerIdentity next(Instant now) throws IOException {
            try {
                var text = Files.readString(certificate);
                if (text.equals(known)) {
                    return null;
                }
                var identity = ServerIdentity.of(text, Files.readString(key));
                known = text;
                return identity;
            } catch (IOException unreadable) {
                throw new IOException(
                        "%s and tls.key beside it: %s"
                                .formatted(certificate, unreadable.getMessage()),
                        unreadable);
            }
        }
    }

    private final Source source;
    private final InstantSource clock;
    private final Log log;
    private final RotatingKeys keys = new RotatingKeys();
    private final Thread upkeep;

    private ServingKeys(Source source, InstantSource clock, Log log) {
        this.source = source;
        this.clock = clock;
        this.log = log;
        this.upkeep = Thread.ofVirtual().name("serving-keys").unstarted(this::keepUp);
    }

    /// @throws IOException when there is no certificate to begin with
    static ServingKeys open(Source source, InstantSource clock, Log log) throws IOException {
        var made = new ServingKeys(source, clock, log);
        made.renew();
        made.upkeep.start();
        return made;
    }

    SSLContext context() throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, null, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IOException("this JDK knows no TLS", impossible);
        }
    }

    private void renew() throws IOException {
        var next = source.next(clock.instant());
        if (next != null) {
            keys.use(next);
            log.info(
                    "serving metrics by a new certificate",
                    "until",
                    next.chain().getFirst().getNotAfter().toInstant().toString());
        }
    }

    private void keepUp() {
        try {
            while (true) {
                Sleeper.system().sleep(RECHECK);
                try {
                    renew();
                } catch (IOException unreadable) {
                    log.warn(
                            "the certificate of the metrics is kept, for there is no next one",
                            "error",
                            String.valueOf(unreadable.getMessage()));
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        upkeep.interrupt();
    }
}
