package dev.millwright.controllers.process;

import java.util.List;

/// A flag of a process: what the command line offers, what the reference shows and what the reader
/// of its settings reads. The flags of a process are an enum of these.
public interface CommandFlag {

    /// What a flag's text stands for.
    enum Kind {
        TEXT("TEXT"),
        WHOLE("N"),
        TOGGLE("true|false"),
        DURATION("D"),
        CHOICE("WORD");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /// Without dashes.
    String flagName();

    Kind kind();

    String defaultText();

    String help();

    /// The words of a choice, in the order to show them.
    List<String> choices();

    /// What help shows in the place of a value.
    default String valueLabel() {
        return kind() == Kind.CHOICE ? String.join("|", choices()) : kind().label;
    }
}
