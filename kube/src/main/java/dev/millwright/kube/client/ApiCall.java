package dev.millwright.kube.client;

/// A kind of request, as metrics tell requests apart: no names of objects.
public record ApiCall(Verb verb, ResourceType type, String subresource) {

    public enum Verb {
        GET("GET"),
        LIST("GET"),
        WATCH("GET"),
        CREATE("POST"),
        PATCH("PATCH"),
        DELETE("DELETE");

        private final String method;

        Verb(String method) {
            this.method = method;
        }

        /// The word HTTP has for it.
        public String method() {
            return method;
        }
    }
}
