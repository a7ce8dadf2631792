package dev.millwright.core.cluster;

/// A port a pod takes on its node.
public record HostPort(String ip, int port, String protocol) {

    private static final String ANY_V4 = "0.0.0.0";
    private static final String ANY_V6 = "::";

    public HostPort {
        ip = ip.isEmpty() ? ANY_V4 : ip;
        protocol = protocol.isEmpty() ? "TCP" : protocol;
    }

    /// Whether both cannot live on one node. An unspecified address takes the port on every
    /// address.
    public boolean clashesWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (ip.equals(other.ip) || isAny() || other.isAny());
    }

    private boolean isAny() {
        return ip.equals(ANY_V4) || ip.equals(ANY_V6);
    }

    @Override
    public String toString() {
        return "IP=%s Port=%d Proto=%s".formatted(ip, port, protocol);
    }
}
