package dev.millwright.kube.client;

/// Questions for many objects as a path with parameters.
final class QueryText {

    private final StringBuilder text;
    private char separator = '?';

    private QueryText(String path) {
        this.text = new StringBuilder(path);
    }

    static String of(ResourceType type, KubeApi.ListQuery query) {
        return new QueryText(ResourcePath.of(type, query.namespace()))
                .put("labelSelector", query.labelSelector())
                .put("fieldSelector", query.fieldSelector())
                .put("limit", query.limit() > 0 ? Integer.toString(query.limit()) : "")
                .put("continue", query.continueToken())
                .toString();
    }

    static String of(ResourceType type, KubeApi.WatchQuery query) {
        return new QueryText(ResourcePath.of(type, query.namespace()))
                .put("watch", "true")
                .put("allowWatchBookmarks", "true")
                .put("labelSelector", query.labelSelector())
                .put("fieldSelector", query.fieldSelector())
                .put("resourceVersion", query.resourceVersion())
                .put("timeoutSeconds", Long.toString(Math.max(1, query.timeout().toSeconds())))
                .toString();
    }

    private QueryText put(String name, String value) {
        if (!value.isEmpty()) {
            text.append(separator).append(name).append('=').append(ResourcePath.encoded(value));
            separator = '&';
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
