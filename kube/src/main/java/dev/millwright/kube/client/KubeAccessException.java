package dev.millwright.kube.client;

/// There is no way to an API server. The message says where it was looked for and what to do; it
/// holds no credential.
public final class KubeAccessException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public KubeAccessException(String message) {
        super(message);
    }
}
