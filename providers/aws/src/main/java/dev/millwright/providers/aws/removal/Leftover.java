package dev.millwright.providers.aws.removal;

/// Something that is still there.
///
/// @param kind e.g. `instance`, `NodePool`
/// @param why what keeps it, or what it is waiting for
public record Leftover(String kind, String name, String why) {

    public static final String INSTANCE = "instance";
    public static final String TEMPLATE = "launch template";
    public static final String PROFILE = "instance profile";

    /// Kind and name: what is the same thing at another time.
    public String title() {
        return "%s %s".formatted(kind, name);
    }

    public String words() {
        return why.isEmpty() ? title() : "%s: %s".formatted(title(), why);
    }
}
