package dev.millwright.addons.helm;

import dev.millwright.addons.helm.HelmCommand.Outcome;
import dev.millwright.addons.port.Rendering;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/// Renders by `helm template` of a scratch chart whose partial template is the user's text.
///
/// The user's text is a file of its own, included by its path: definitions in it work as in any
/// template, line numbers are the user's, and it cannot get at Helm's own objects, since its `.`
/// and `$` are what it was given. Helm has taken env and expandenv out, its DNS functions answer
/// nothing without a flag, `lookup` finds nothing without a cluster, and recursion is bounded.
public final class HelmRenderer implements Rendering {

    /// Inputs in one run; one that fails is found by rendering each alone.
    private static final int BATCH_MAX = 50;

    private static final int ATONCE_MAX = 2;
    private static final Duration TIME_MAX = Duration.ofSeconds(20);
    private static final long MEMORY_MAX = 512L << 20;

    /// Characters of the values of one cluster; the API server takes objects of 1.5 MB.
    private static final int VALUES_MAX = 1 << 20;

    private static final int OUTPUT_MAX = BATCH_MAX * 2 * VALUES_MAX;

    /// How a failure begins that each input alone would only repeat, at its full price.
    private static final String ENDED = "the rendering ";

    private static final String TEMPLATE = "templates/_values.tpl";
    private static final String CHART = "apiVersion: v2\nname: values\nversion: 0.0.0\n";

    private final HelmSettings settings;
    private final HelmCommand command;
    private final Semaphore permits = new Semaphore(ATONCE_MAX);

    public HelmRenderer(HelmSettings settings) {
        this.settings = settings;
        this.command = new HelmCommand(settings.binary());
    }

    @Override
    public List<Answer> render(String template, List<Value.Mapping> inputs) {
        var answers = new ArrayList<Answer>();
        for (var from = 0; from < inputs.size(); from += BATCH_MAX) {
            var batch = inputs.subList(from, Math.min(inputs.size(), from + BATCH_MAX));
            answers.addAll(batch(template, batch));
        }
        return answers;
    }

    private List<Answer> batch(String template, List<Value.Mapping> inputs) {
        var together = run(template, inputs);
        if (inputs.size() == 1
                || !(together.getFirst() instanceof Answer.Failed(var message))
                || message.startsWith(ENDED)) {
            return together;
        }
        return inputs.stream().map(input -> run(template, List.of(input)).getFirst()).toList();
    }

    /// The thread of a step is virtual, and would keep its carrier while it waits for a process.
    private List<Answer> run(String template, List<Value.Mapping> inputs) {
        var answers = new CompletableFuture<List<Answer>>();
        try {
            permits.acquire();
            var thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("helm-rendering")
                            .start(() -> complete(answers, template, inputs));
            try {
                return answers.get();
            } catch (InterruptedException stopped) {
                thread.interrupt();
                throw stopped;
            } finally {
                permits.release();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return all(inputs, new Answer.Failed("was interrupted"));
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a rendering threw", bug);
        }
    }

    private void complete(
            CompletableFuture<List<Answer>> answers, String template, List<Value.Mapping> inputs) {
        try {
            answers.complete(rendered(template, inputs));
        } catch (InterruptedException | RuntimeException failure) {
            answers.completeExceptionally(failure);
        }
    }

    private static List<Answer> all(List<Value.Mapping> inputs, Answer answer) {
        return inputs.stream().map(_ -> answer).toList();
    }

    private List<Answer> rendered(String template, List<Value.Mapping> inputs)
            throws InterruptedException {
        try (var scratch = new Scratch(settings.directory())) {
            scratch.directory("values/templates");
            scratch.file("values/Chart.yaml", CHART);
            // On one line with the user's first, so that messages count lines as the user does.
            scratch.file("values/" + TEMPLATE, "{{- $outputs := .outputs }}" + template);
            var objects = new StringBuilder();
            for (var index = 0; index < inputs.size(); index++) {
                scratch.file("values/%d.toml".formatted(index), TomlText.of(inputs.get(index)));
                objects.append(configMap(index));
            }
            scratch.file("values/templates/values.yaml", objects.toString());
            var outcome =
                    command.run(
                            List.of("template", "values", "values"),
                            scratch.path(),
                            Map.of(),
                            new HelmCommand.Limits(TIME_MAX, MEMORY_MAX, OUTPUT_MAX));
            return switch (outcome) {
                case Outcome.Good(var output) -> read(output, inputs);
                case Outcome.Ended(var words) -> all(inputs, new Answer.Failed(ENDED + words));
                case Outcome.Bad(var words) ->
                        all(
                                inputs,
                                new Answer.Failed(Masking.of(outputs(inputs)).of(plain(words))));
            };
        }
    }

    private static String configMap(int index) {
        return """
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: v%d
        values: {{ include "values/%s" (.Files.Get "%d.toml" | fromToml) | toJson }}
        """
                .formatted(index, TEMPLATE, index);
    }

    /// Texts among the outputs may be secret; those of the objects are not.
    private static List<Value> outputs(List<Value.Mapping> inputs) {
        var outputs = new ArrayList<Value>();
        for (var input : inputs) {
            var value = input.fields().get("outputs");
            if (value != null) {
                outputs.add(value);
            }
        }
        return outputs;
    }

    /// Without the way through our own files.
    private static String plain(String words) {
        var own = words.lastIndexOf("error calling include: ");
        var inner = own < 0 ? words : words.substring(own + "error calling include: ".length());
        return inner.replace("values/" + TEMPLATE, "valuesTemplate");
    }

    private static List<Answer> read(String output, List<Value.Mapping> inputs) {
        var byName = new TreeMap<String, String>();
        try {
            for (var document : DocumentReader.readAll(Source.text("rendered", output))) {
                var object = Field.root("rendered", document, new Faults());
                byName.put(object.at("metadata").at("name").text(""), object.at("values").text(""));
            }
        } catch (DocumentException unreadable) {
            return all(inputs, new Answer.Failed("Helm's output cannot be read"));
        }
        var answers = new ArrayList<Answer>();
        for (var index = 0; index < inputs.size(); index++) {
            answers.add(answer(byName.get("v" + index)));
        }
        return answers;
    }

    private static Answer answer(@Nullable String text) {
        if (text == null) {
            return new Answer.Failed("Helm's output lacks the values");
        }
        return text.length() > VALUES_MAX
                ? new Answer.Failed(
                        "values have %d characters; wanted at most %d"
                                .formatted(text.length(), VALUES_MAX))
                : new Answer.Text(text);
    }
}
