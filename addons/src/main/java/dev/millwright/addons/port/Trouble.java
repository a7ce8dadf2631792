package dev.millwright.addons.port;

/// Why something of Helm's was not done. The message names no secret.
public record Trouble(Cause cause, String message) {

    public enum Cause {
        KUBECONFIG,
        CREDENTIALS,
        AUTHORITY,
        /// The Secret with the values, or the values themselves.
        VALUES,
        HELM
    }
}
