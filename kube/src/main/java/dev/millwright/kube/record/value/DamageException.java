package dev.millwright.kube.record.value;

/// Bytes are not what they were written as.
public final class DamageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DamageException(String message) {
        super(message);
    }

    public DamageException(String message, Throwable cause) {
        super(message, cause);
    }
}
