package dev.millwright.cli.migrate;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;

/// What files hold. One that cannot be read is told; the others go on.
public record OldDocuments(List<Value> values, List<Fault> faults) {

    public OldDocuments {
        values = List.copyOf(values);
        faults = List.copyOf(faults);
    }

    public static OldDocuments read(List<Source> sources) {
        var values = new ArrayList<Value>();
        var faults = new ArrayList<Fault>();
        for (var source : sources) {
            try {
                values.addAll(DocumentReader.readAll(source));
            } catch (DocumentException broken) {
                faults.addAll(broken.faults());
            }
        }
        return new OldDocuments(values, faults);
    }
}
