package dev.millwright.providers.aws.bootstrap;

/// A text that says it is a MIME archive and is none.
final class MimeException extends Exception {

    private static final long serialVersionUID = 1L;

    MimeException(String message) {
        super(message);
    }
}
