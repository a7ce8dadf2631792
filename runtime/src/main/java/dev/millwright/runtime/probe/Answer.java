package dev.millwright.runtime.probe;

import java.nio.charset.StandardCharsets;

/// What an HTTP request gets.
record Answer(int status, String contentType, byte[] body) {

    static final int OK = 200;
    static final int UNAUTHENTICATED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int FAILED = 500;
    static final int BUSY = 503;

    static Answer text(int status, String text) {
        return new Answer(
                status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
