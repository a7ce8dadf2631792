package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.document.Source;

import java.util.List;

/// What a kwok cluster can buy, and the words that describe it.
public record KwokTypes(List<InstanceType> types, LabelVocabulary vocabulary) {

    public KwokTypes {
        types = List.copyOf(types);
    }

    /// The 144 generic types.
    public static KwokTypes builtIn() {
        return new KwokTypes(KwokCatalogue.instanceTypes(), KwokCatalogue.VOCABULARY);
    }

    /// Types of a file, as `--instance-types-file-path` names it.
    ///
    /// @throws dev.millwright.kube.document.DocumentException when the file is not as it should be
    public static KwokTypes read(Source source) {
        return KwokTypesFile.read(source);
    }
}
