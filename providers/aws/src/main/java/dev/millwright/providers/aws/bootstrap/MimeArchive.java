package dev.millwright.providers.aws.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A MIME archive of several parts, which cloud-init and nodeadm run one after the other.
record MimeArchive(List<Part> parts) {

    static final String CONTENT_TYPE = "Content-Type";
    static final String TRANSFER_ENCODING = "Content-Transfer-Encoding";
    static final String SHELL = "text/x-shellscript; charset=\"us-ascii\"";

    private static final String BOUNDARY = "//";

    private static final Pattern BOUNDARY_PARAMETER =
            Pattern.compile(
                    ";\\s*boundary\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\\s;\"]+))",
                    Pattern.CASE_INSENSITIVE);

    /// A part and its headers by name.
    record Part(SequencedMap<String, String> headers, String body) {

        static Part shell(String body) {
            return of(SHELL, body);
        }

        static Part of(String contentType, String body) {
            var headers = new TreeMap<String, String>();
            headers.put(CONTENT_TYPE, contentType);
            return new Part(headers, body);
        }
    }

    MimeArchive {
        parts = List.copyOf(parts);
    }

    /// Whether a text means to be an archive; it may still be a faulty one.
    static boolean isArchive(String text) {
        var head = text.strip();
        return head.startsWith("MIME-Version:") || head.startsWith("Content-Type:");
    }

    /// The archive as one text, without carriage returns.
    String text() {
        var text = new StringBuilder("MIME-Version: 1.0\n");
        text.append("Content-Type: multipart/mixed; boundary=\"%s\"\n\n".formatted(BOUNDARY));
        var separator = "--" + BOUNDARY + "\n";
        for (var part : parts) {
            text.append(separator);
            part.headers()
                    .forEach(
                            (name, value) ->
                                    text.append(name).append(": ").append(value).append('\n'));
            text.append('\n').append(part.body());
            separator = "\n--" + BOUNDARY + "\n";
        }
        return text.append("\n--" + BOUNDARY + "--\n").toString().replace("\r", "");
    }

    static MimeArchive read(String text) throws MimeException {
        var lines = new Lines(text.stripLeading().replace("\r", ""));
        var boundary = boundary(lines.headers());
        var parts = new ArrayList<Part>();
        // What stands before the first boundary is for readers that know no MIME.
        var isMore = lines.skipTo(boundary);
        while (isMore && lines.isMore()) {
            var headers = lines.headers();
            var body = new StringBuilder();
            isMore = lines.collectTo(boundary, body);
            parts.add(new Part(headers, body.toString()));
        }
        return new MimeArchive(parts);
    }

    private static String boundary(SequencedMap<String, String> headers) throws MimeException {
        var type = headers.get(CONTENT_TYPE);
        if (type == null) {
            throw new MimeException(
                    "the MIME archive has no Content-Type; wanted multipart/mixed with a boundary");
        }
        if (!type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            throw new MimeException(
                    "the MIME archive is of type \"%s\"; wanted multipart/mixed".formatted(type));
        }
        var found = BOUNDARY_PARAMETER.matcher(type);
        if (!found.find()) {
            throw new MimeException(
                    "the MIME archive's Content-Type \"%s\" names no boundary".formatted(type));
        }
        return found.group(1) == null ? found.group(2) : found.group(1).replaceAll("\\\\(.)", "$1");
    }

    /// Lines of the text, one after the other.
    private static final class Lines {
        private final List<String> lines;
        private int next;

        Lines(String text) {
            this.lines = List.of(text.split("\n", -1));
        }

        /// Whether anything but an empty end is left.
        boolean isMore() {
            for (var index = next; index < lines.size(); index++) {
                if (!lines.get(index).isBlank()) {
                    return true;
                }
            }
            return false;
        }

        /// Headers up to the empty line after them.
        SequencedMap<String, String> headers() throws MimeException {
            var headers = new TreeMap<String, String>();
            var last = "";
            while (next < lines.size()) {
                var line = lines.get(next++);
                if (line.isEmpty()) {
                    return headers;
                }
                var colon = line.indexOf(':');
                if ((line.startsWith(" ") || line.startsWith("\t")) && !last.isEmpty()) {
                    headers.merge(last, line.strip(), (above, more) -> above + " " + more);
                } else if (colon <= 0 || line.substring(0, colon).contains(" ")) {
                    throw new MimeException(
                            "line %d is \"%s\"; wanted a MIME header such as Content-Type: text/plain"
                                    .formatted(next, line));
                } else {
                    last = canonical(line.substring(0, colon));
                    headers.put(last, line.substring(colon + 1).strip());
                }
            }
            return headers;
        }

        private static String canonical(String name) {
            var text = new StringBuilder();
            for (var index = 0; index < name.length(); index++) {
                var isFirst = index == 0 || name.charAt(index - 1) == '-';
                var letter = name.charAt(index);
                text.append(
                        isFirst ? Character.toUpperCase(letter) : Character.toLowerCase(letter));
            }
            return text.toString();
        }

        /// Whether a part begins after the boundary that was come to.
        boolean skipTo(String boundary) throws MimeException {
            return collectTo(boundary, new StringBuilder());
        }

        boolean collectTo(String boundary, StringBuilder body) throws MimeException {
            var first = next;
            while (next < lines.size()) {
                var line = lines.get(next++).stripTrailing();
                if (line.equals("--" + boundary) || line.equals("--" + boundary + "--")) {
                    body.append(String.join("\n", lines.subList(first, next - 1)));
                    return line.length() == boundary.length() + 2;
                }
            }
            throw new MimeException(
                    "the MIME archive ends within a part; wanted a last line --%s--"
                            .formatted(boundary));
        }
    }
}
