package dev.millwright.runtime.flag;

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

    /// What is told of a flag.
    ///
    /// @param name without dashes
    /// @param choices the words of a choice, in the order to show them
    record Entry(String name, Kind kind, String defaultText, String help, List<String> choices) {
        public Entry {
            choices = List.copyOf(choices);
        }
    }

    Entry entry();

    default String flagName() {
        return entry().name();
    }

    default Kind kind() {
        return entry().kind();
    }

    default String defaultText() {
        return entry().defaultText();
    }

    default String help() {
        return entry().help();
    }

    default List<String> choices() {
        return entry().choices();
    }

    /// What help shows in the place of a value.
    default String valueLabel() {
        return kind() == Kind.CHOICE ? String.join("|", choices()) : kind().label;
    }
}
