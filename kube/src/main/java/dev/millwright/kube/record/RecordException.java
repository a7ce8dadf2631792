package dev.millwright.kube.record;

import java.io.IOException;

/// A file is no record that can be read; the message is for a person.
public final class RecordException extends IOException {

    private static final long serialVersionUID = 1L;

    public RecordException(String message) {
        super(message);
    }

    public RecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
