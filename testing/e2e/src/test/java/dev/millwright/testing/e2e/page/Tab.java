package dev.millwright.testing.e2e.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.e2e.Eventually;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// One tab: what a person could do in it and see in it, and what its console says.
final class Tab implements AutoCloseable {

    private static final long ANSWER_SECONDS_MAX = 60;
    private static final Duration PAGE_MAX = Duration.ofSeconds(60);

    private final Map<Long, CompletableFuture<Value.Mapping>> open = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong number = new AtomicLong();
    private @Nullable WebSocket socket;

    private Tab() {}

    static Tab open(HttpClient client, URI address) {
        var tab = new Tab();
        tab.socket = client.newWebSocketBuilder().buildAsync(address, tab.new Ear()).join();
        for (var domain : List.of("Page", "Runtime", "Network", "Log", "Accessibility")) {
            tab.call(domain + ".enable", Tree.of());
        }
        return tab;
    }

    /// Hears answers and events, which may come in pieces.
    private final class Ear implements WebSocket.Listener {
        private final StringBuilder heard = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence piece, boolean isLast) {
            heard.append(piece);
            if (isLast) {
                hear(heard.toString());
                heard.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void hear(String text) {
        try {
            var message = JsonReader.object(text.getBytes(UTF_8));
            if (message.fields().get("id") instanceof Value.Numeral(_, var id)) {
                var answer = open.remove(Long.parseLong(id));
                if (answer != null) {
                    answer.complete(message);
                }
            } else {
                event(message.text("method"), text, message);
            }
        } catch (IOException broken) {
            complaints.add("the browser sent what is no JSON: " + broken.getMessage());
        }
    }

    private void event(@Nullable String method, String text, Value.Mapping message) {
        switch (String.valueOf(method)) {
            case "Network.requestWillBeSent" ->
                    requests.add(String.valueOf(at(message, "params", "request").text("url")));
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(text);
            case "Runtime.consoleAPICalled" -> {
                if (List.of("error", "warning", "assert")
                        .contains(String.valueOf(at(message, "params").text("type")))) {
                    complaints.add(text);
                }
            }
            default -> {
                // Of no interest to a test.
            }
        }
    }

    static Value.Mapping at(Value.Mapping from, String... path) {
        var at = from;
        for (var step : path) {
            at = at.fields().get(step) instanceof Value.Mapping child ? child : Tree.of().mapping();
        }
        return at;
    }

    /// One command of the browser's protocol and its result.
    Value.Mapping call(String method, Tree parameters) {
        var id = number.incrementAndGet();
        var answer = new CompletableFuture<Value.Mapping>();
        open.put(id, answer);
        var message = Tree.of().put("id", id).put("method", method).put("params", parameters);
        if (socket != null) {
            socket.sendText(JsonWriter.text(message.mapping()), true).join();
        }
        try {
            var result = answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
            if (result.fields().containsKey("error")) {
                throw new AssertionError(method + ": " + JsonWriter.text(result));
            }
            return at(result, "result");
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the browser worked", failure);
        } catch (ExecutionException | TimeoutException failure) {
            throw new AssertionError(method + " was not answered", failure);
        }
    }

    /// What the expression is in the page, as text; a promise is waited for.
    String eval(String expression) {
        var result =
                call(
                        "Runtime.evaluate",
                        Tree.of()
                                .put(
                                        "expression",
                                        "(async () => String(await (%s)))()".formatted(expression))
                                .put("awaitPromise", true)
                                .put("returnByValue", true));
        if (result.fields().containsKey("exceptionDetails")) {
            throw new AssertionError(expression + ": " + JsonWriter.text(result));
        }
        return String.valueOf(at(result, "result").text("value"));
    }

    /// Runs a whole script in the page; what it defines stays there.
    void script(String source) {
        var result = call("Runtime.evaluate", Tree.of().put("expression", source));
        if (result.fields().containsKey("exceptionDetails")) {
            throw new AssertionError(JsonWriter.text(result));
        }
    }

    Tab visit(URI address) {
        call("Page.navigate", Tree.of("url", address.toString()));
        Eventually.see(
                "the page has its first picture",
                PAGE_MAX,
                () -> eval("document.body && document.body.dataset.ready"),
                "true"::equals);
        return this;
    }

    Tab size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Tree.of()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
        return this;
    }

    /// How the visitor's system is set: dark or light, and whether things may move.
    Tab prefers(String scheme, boolean isMotionReduced) {
        var features =
                List.of(
                        Tree.of("name", "prefers-color-scheme").put("value", scheme).mapping(),
                        Tree.of("name", "prefers-reduced-motion")
                                .put("value", isMotionReduced ? "reduce" : "no-preference")
                                .mapping());
        call("Emulation.setEmulatedMedia", Tree.of().putList("features", features));
        return this;
    }

    /// Empty for what is not there, or not yet.
    String text(String selector) {
        return eval(
                "(found => found ? found.innerText : '')(document.querySelector('%s'))"
                        .formatted(selector));
    }

    /// Looks until the element's text is right.
    String sees(String selector, String words) {
        return Eventually.see(
                selector + " says " + words,
                PAGE_MAX,
                () -> text(selector),
                text -> text.contains(words));
    }

    void click(String selector) {
        eval("document.querySelector('%s').scrollIntoView({block: 'center'})".formatted(selector));
        var middle =
                eval(
                        "(r => (r.x + r.width / 2) + ' ' + (r.y + r.height / 2))(document.querySelector('%s').getBoundingClientRect())"
                                .formatted(selector));
        var parts = middle.split(" ", -1);
        clickAt(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
    }

    void clickAt(double x, double y) {
        for (var type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Tree.of("type", type)
                            .put("x", Math.round(x))
                            .put("y", Math.round(y))
                            .put("button", type.equals("mouseMoved") ? "none" : "left")
                            .put("clickCount", 1));
        }
    }

    /// A key by its name: Tab, Enter, ArrowRight, Escape.
    void press(String key) {
        var code =
                switch (key) {
                    case "Tab" -> 9;
                    case "Enter" -> 13;
                    case "Escape" -> 27;
                    case "End" -> 35;
                    case "Home" -> 36;
                    case "ArrowLeft" -> 37;
                    case "ArrowUp" -> 38;
                    case "ArrowRight" -> 39;
                    case "ArrowDown" -> 40;
                    default -> throw new IllegalArgumentException("key %s".formatted(key));
                };
        for (var type : List.of("keyDown", "keyUp")) {
            var event =
                    Tree.of("type", type)
                            .put("key", key)
                            .put("code", key)
                            .put("windowsVirtualKeyCode", code);
            call(
                    "Input.dispatchKeyEvent",
                    key.equals("Enter") && type.equals("keyDown")
                            ? event.put("text", "\r")
                            : event);
        }
    }

    /// Errors and warnings of the console, and exceptions.
    List<String> complaints() {
        return complaints;
    }

    /// The addresses the tab asked for.
    List<String> requests() {
        return requests;
    }

    Path screenshot(Path file) {
        var picture = call("Page.captureScreenshot", Tree.of("format", "png")).text("data");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.write(file, Base64.getDecoder().decode(String.valueOf(picture)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A browser opens six connections to a host and no more; a tab that stays open keeps one.
    @Override
    public void close() {
        call("Page.close", Tree.of());
        if (socket != null) {
            socket.abort();
        }
    }
}
