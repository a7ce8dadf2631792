package dev.millwright.kube.record.value;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Mismatch;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Quantities, labels, and what is asked of them.
final class LabelSpellings {

    static final Spelling<Quantity> QUANTITY =
            Spelling.of(
                    "quantity",
                    (out, quantity) -> {
                        out.number(quantity.units());
                        out.count(quantity.nanos());
                    },
                    in -> new Quantity(in.number(), in.count()));

    static final Spelling<Resources> RESOURCES =
            Spelling.of(
                    "resources",
                    (out, resources) -> {
                        out.count(resources.names().size());
                        for (var name : resources.names()) {
                            out.text(name);
                            out.inline(QUANTITY, resources.amount(name));
                        }
                    },
                    in -> {
                        var amounts = new TreeMap<String, Quantity>();
                        for (var left = in.countWithin(); left > 0; left--) {
                            amounts.put(in.text(), in.inline(QUANTITY));
                        }
                        return amounts.isEmpty() ? Resources.NONE : new Resources(amounts);
                    });

    /// Labels, or other pairs of texts.
    static final Spelling<SequencedMap<String, String>> LABELS =
            Spelling.of("labels", (out, labels) -> pairs(out, labels), LabelSpellings::pairs);

    private static final Spelling<SelectorRequirement> SELECTOR_REQUIREMENT =
            Spelling.of(
                    "selector requirement",
                    (out, each) -> {
                        out.text(each.key());
                        out.constant(each.operator());
                        out.texts(each.values());
                        out.countOrNone(each.minValues());
                    },
                    in ->
                            new SelectorRequirement(
                                    in.text(),
                                    in.constant(Operator.class),
                                    in.texts(),
                                    in.countOrNone()));

    /// In the API's form, of which one requirement may take several.
    static final Spelling<Requirement> REQUIREMENT =
            Spelling.of(
                    "requirement",
                    (out, requirement) -> {
                        var entries = requirement.selectorRequirements();
                        out.count(entries.size());
                        entries.forEach(each -> out.inline(SELECTOR_REQUIREMENT, each));
                    },
                    LabelSpellings::requirement);

    static final Spelling<Requirements> REQUIREMENTS =
            Spelling.of(
                    "requirements",
                    (out, requirements) -> out.list(REQUIREMENT, requirements.all()),
                    in -> Requirements.of(in.list(REQUIREMENT)));

    /// Alternatives of which each is several that hold together.
    static final Spelling<List<Requirement>> REQUIREMENT_LIST =
            Spelling.of(
                    "requirement list",
                    (out, requirements) -> out.list(REQUIREMENT, requirements),
                    in -> in.list(REQUIREMENT));

    private static final Spelling<Selector.Expression> EXPRESSION =
            Spelling.of(
                    "expression",
                    (out, each) -> {
                        out.text(each.key());
                        out.constant(each.operator());
                        out.texts(each.values());
                    },
                    in ->
                            new Selector.Expression(
                                    in.text(), in.constant(Operator.class), in.texts()));

    static final Spelling<Selector> SELECTOR =
            Spelling.of(
                    "selector",
                    (out, selector) -> {
                        out.value(LABELS, selector.matchLabels());
                        out.list(EXPRESSION, selector.expressions());
                    },
                    in -> new Selector(in.value(LABELS), in.list(EXPRESSION)));

    static final Spelling<Taint> TAINT =
            Spelling.of(
                    "taint",
                    (out, taint) -> {
                        out.text(taint.key());
                        out.text(taint.value());
                        out.constant(taint.effect());
                    },
                    in -> new Taint(in.text(), in.text(), in.constant(Effect.class)));

    static final Spelling<Toleration> TOLERATION =
            Spelling.of(
                    "toleration",
                    (out, toleration) -> {
                        out.text(toleration.key());
                        out.constant(toleration.match());
                        out.text(toleration.value());
                        var effect = toleration.effect();
                        out.textOrNone(effect == null ? null : effect.name());
                    },
                    in ->
                            new Toleration(
                                    in.text(),
                                    in.constant(Toleration.Match.class),
                                    in.text(),
                                    effect(in.textOrNone())));

    static final Spelling<Mismatch> MISMATCH =
            Spelling.of("mismatch", LabelSpellings::mismatch, LabelSpellings::mismatch);

    static final Spelling<List<String>> TEXTS =
            Spelling.of("texts", (out, texts) -> out.texts(texts), ValueIn::texts);

    static final Spelling<LabelVocabulary> VOCABULARY =
            Spelling.of(
                    "vocabulary",
                    (out, words) -> {
                        out.texts(words.wellKnown());
                        out.texts(words.restrictedDomains());
                        out.value(LABELS, words.aliases());
                        out.map(TEXTS, words.knownValues());
                        out.text(words.reservationIdKey());
                    },
                    in ->
                            new LabelVocabulary(
                                    new TreeSet<>(in.texts()),
                                    new TreeSet<>(in.texts()),
                                    in.value(LABELS),
                                    in.map(TEXTS),
                                    in.text()));

    private LabelSpellings() {}

    private static void pairs(ValueOut out, SequencedMap<String, String> pairs) {
        out.count(pairs.size());
        pairs.forEach(
                (key, value) -> {
                    out.text(key);
                    out.text(value);
                });
    }

    private static SequencedMap<String, String> pairs(ValueIn in) {
        var pairs = new TreeMap<String, String>();
        for (var left = in.countWithin(); left > 0; left--) {
            pairs.put(in.text(), in.text());
        }
        return pairs;
    }

    private static Requirement requirement(ValueIn in) {
        @Nullable Requirement whole = null;
        for (var left = in.countWithin(); left > 0; left--) {
            var entry = in.inline(SELECTOR_REQUIREMENT);
            var part =
                    Requirement.of(
                            entry.key(), entry.operator(), entry.minValues(), entry.values());
            whole = whole == null ? part : whole.intersection(part);
        }
        if (whole == null) {
            throw new DamageException("a requirement says nothing");
        }
        return whole;
    }

    private static @Nullable Effect effect(@Nullable String name) {
        return name == null ? null : Effect.valueOf(name);
    }

    private static void mismatch(ValueOut out, Mismatch mismatch) {
        switch (mismatch) {
            case Mismatch.Undefined(var key, var hint) -> {
                out.text("Undefined");
                out.text(key);
                out.textOrNone(hint);
            }
            case Mismatch.Disjoint(var key, var incoming, var existing) -> {
                out.text("Disjoint");
                out.text(key);
                out.value(REQUIREMENT, incoming);
                out.value(REQUIREMENT, existing);
            }
            case Mismatch.Contradiction(var key) -> {
                out.text("Contradiction");
                out.text(key);
            }
        }
    }

    private static Mismatch mismatch(ValueIn in) {
        var word = in.text();
        return switch (word) {
            case "Undefined" -> new Mismatch.Undefined(in.text(), in.textOrNone());
            case "Disjoint" ->
                    new Mismatch.Disjoint(in.text(), in.value(REQUIREMENT), in.value(REQUIREMENT));
            case "Contradiction" -> new Mismatch.Contradiction(in.text());
            default -> throw new DamageException("\"%s\" is no Mismatch".formatted(word));
        };
    }
}
