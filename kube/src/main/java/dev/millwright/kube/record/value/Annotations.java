package dev.millwright.kube.record.value;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Which annotations are recorded: those that a decision reads, and no others. People and programs
/// put anything into annotations, the last applied manifest and tokens included.
final class Annotations {

    private static final Set<String> READ =
            Set.of(
                    LabelKeys.DO_NOT_DISRUPT,
                    LabelKeys.DO_NOT_REPAIR,
                    ControlKeys.MAKE_BEFORE_BREAK,
                    AnnotationKeys.BUFFER_POD,
                    AnnotationKeys.BUFFER_NAME,
                    AnnotationKeys.BUFFER_NAMESPACE);

    private static final SequencedMap<String, String> NONE =
            Collections.unmodifiableSequencedMap(new TreeMap<>());

    private Annotations() {}

    static SequencedMap<String, String> read(SequencedMap<String, String> all) {
        SequencedMap<String, String> kept = NONE;
        for (var entry : all.entrySet()) {
            if (READ.contains(entry.getKey())) {
                if (kept.isEmpty()) {
                    kept = new TreeMap<>();
                }
                kept.put(entry.getKey(), entry.getValue());
            }
        }
        return kept;
    }
}
