package dev.millwright.providers.aws.nodeclass;

/// One network interface each instance is launched with.
public record NetworkInterface(int networkCardIndex, int deviceIndex, Type type) {

    public enum Type {
        INTERFACE("interface"),

        /// Carries EFA traffic only: it has no address.
        EFA_ONLY("efa-only");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
