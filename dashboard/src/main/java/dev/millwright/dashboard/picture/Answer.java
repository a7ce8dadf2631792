package dev.millwright.dashboard.picture;

import java.util.List;

/// What is said about something that a visitor asked about: a verdict, its reasons, and changes
/// that would flip it. Each text is a sentence or a line.
///
/// `changes` are what together would turn the verdict, tried before they are told; `note` is what
/// comes of them, or why there are none.
public record Answer(
        String subject, String verdict, List<String> reasons, List<String> changes, String note) {

    public Answer {
        reasons = List.copyOf(reasons);
        changes = List.copyOf(changes);
    }

    public static Answer of(String subject, String verdict, List<String> reasons) {
        return new Answer(subject, verdict, reasons, List.of(), "");
    }

    public String json() {
        var json = new Json();
        return json.object(
                        () -> {
                            json.name("subject").value(subject);
                            json.name("verdict").value(verdict);
                            json.name("reasons").array(reasons, Json::value);
                            json.name("changes").array(changes, Json::value);
                            json.name("note").value(note);
                        })
                .toString();
    }
}
