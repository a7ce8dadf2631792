package dev.millwright.kube.conversion;

/// One thing that did not go over as it was: of which object, at which path, what was found there,
/// what became of it, and what its owner should do.
///
/// `found` and `became` are empty where there was nothing, or is nothing now.
public record Note(
        Kind kind, String object, String path, String found, String became, String advice) {

    public enum Kind {
        /// Written although nobody asked for it, so that behaviour stays.
        INJECTED,

        /// Carried over under another name, or with another meaning.
        CHANGED,

        /// Without an equal; left out.
        DROPPED,

        /// To be looked at before the result is used.
        CHECK
    }

    @Override
    public String toString() {
        var text = new StringBuilder(object);
        if (!path.isEmpty()) {
            text.append(": ").append(path);
        }
        text.append(": found ").append(found.isEmpty() ? "nothing" : found);
        text.append(
                switch (kind) {
                    case INJECTED -> "; added " + became;
                    case CHANGED -> "; became " + became;
                    case DROPPED -> "; left out";
                    case CHECK -> became.isEmpty() ? "; kept" : "; became " + became;
                });
        if (!advice.isEmpty()) {
            text.append("; ").append(advice);
        }
        return text.toString();
    }
}
