package dev.millwright.core.label;

/// What Kubernetes accepts as label keys and values.
public final class LabelSyntax {

    private static final int NAME_LENGTH_MAX = 63;
    private static final int PREFIX_LENGTH_MAX = 253;

    private LabelSyntax() {}

    /// A name of up to 63 characters, perhaps behind a DNS name of up to 253 and a slash.
    public static boolean isQualifiedName(String key) {
        var slash = key.indexOf('/');
        if (slash < 0) {
            return isName(key);
        }
        return isDnsName(key.substring(0, slash)) && isName(key.substring(slash + 1));
    }

    /// Empty, or like the name part of a key.
    public static boolean isValue(String value) {
        return value.isEmpty() || isName(value);
    }

    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            return false;
        }
        for (var index = 0; index < name.length(); index++) {
            var letter = name.charAt(index);
            var isInner = letter == '-' || letter == '_' || letter == '.';
            var isAtEdge = index == 0 || index == name.length() - 1;
            if (!isAlphanumeric(letter) && (!isInner || isAtEdge)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDnsName(String prefix) {
        if (prefix.isEmpty() || prefix.length() > PREFIX_LENGTH_MAX) {
            return false;
        }
        for (var label : prefix.split("\\.", -1)) {
            if (label.isEmpty()
                    || !label.matches("[a-z0-9-]+")
                    || label.startsWith("-")
                    || label.endsWith("-")) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(char letter) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9');
    }
}
