package dev.millwright.kube.client;

import dev.millwright.kube.document.Shortened;

import java.io.EOFException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;

/// What went wrong on the wire, in one line: many of the JDK's exceptions there have no message,
/// and the reason stands in their causes.
final class FailureWords {

    /// Causes told; more than these only repeat each other.
    private static final int CAUSES_MAX = 4;

    private FailureWords() {}

    static String of(Throwable failure) {
        var words = new ArrayList<String>();
        Throwable each = failure;
        while (each != null && words.size() < CAUSES_MAX) {
            var message = each.getMessage();
            var word = message == null || message.isBlank() ? word(each) : Shortened.of(message);
            if (words.stream().noneMatch(said -> said.contains(word) || word.contains(said))) {
                words.add(word);
            }
            each = each.getCause();
        }
        return String.join(": ", words);
    }

    private static String word(Throwable failure) {
        return switch (failure) {
            case ConnectException _ -> "the server does not answer";
            case UnresolvedAddressException _ -> "the server's name is not known";
            case ClosedChannelException _ -> "the connection was closed";
            case EOFException _ -> "the answer was cut off";
            default -> failure.getClass().getSimpleName();
        };
    }
}
