package dev.millwright.cli;

/// Limits of every HTTP server of this process: probes, metrics, the page, the webhook.
///
/// The JDK has them as system properties, and reads those once, when the first server is made. So
/// they are set before any command runs, whichever of its servers opens first.
final class HttpServerLimits {

    /// Seconds that a client may take for a handshake and for sending its request.
    static final int REQUEST_SECONDS_MAX = 10;

    /// Connections of one server; further ones are closed at once.
    static final int CONNECTIONS_MAX = 1_024;

    static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";
    static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    private HttpServerLimits() {}

    /// Leaves alone what was set on Java's command line.
    static void set() {
        set(REQUEST_SECONDS, REQUEST_SECONDS_MAX);
        set(CONNECTIONS, CONNECTIONS_MAX);
    }

    private static void set(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, String.valueOf(value));
        }
    }
}
