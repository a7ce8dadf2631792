package dev.millwright.dashboard.page;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// The files of the page, read once. There is nothing else to be asked for, so no path can lead out
/// of them.
final class Assets {

    record Asset(String type, byte[] bytes) {}

    private static final String HTML = "text/html; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String PICTURE = "image/svg+xml";

    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("index.html", HTML),
                    Map.entry("style.css", STYLE),
                    Map.entry("main.js", SCRIPT),
                    Map.entry("state.js", SCRIPT),
                    Map.entry("fleet.js", SCRIPT),
                    Map.entry("layout.js", SCRIPT),
                    Map.entry("chart.js", SCRIPT),
                    Map.entry("panels.js", SCRIPT),
                    Map.entry("text.js", SCRIPT),
                    Map.entry("boxes.js", SCRIPT),
                    Map.entry("paint.js", SCRIPT),
                    Map.entry("plans.js", SCRIPT),
                    Map.entry("answer.js", SCRIPT),
                    Map.entry("replay.js", SCRIPT),
                    Map.entry("look.js", SCRIPT),
                    Map.entry("table.js", SCRIPT),
                    Map.entry("dark.css", STYLE),
                    Map.entry("icon.svg", PICTURE));

    private final Map<String, Asset> byPath = new TreeMap<>();

    private Assets() {}

    static Assets load() throws IOException {
        var assets = new Assets();
        for (var entry : TYPES.entrySet()) {
            var name = entry.getKey();
            try (var stream = Assets.class.getResourceAsStream(name)) {
                if (stream == null) {
                    throw new IOException("the page's file %s is not in the jar".formatted(name));
                }
                var asset = new Asset(entry.getValue(), stream.readAllBytes());
                assets.byPath.put(name.equals("index.html") ? "/" : "/" + name, asset);
            }
        }
        return assets;
    }

    @Nullable Asset at(String path) {
        return byPath.get(path);
    }
}
