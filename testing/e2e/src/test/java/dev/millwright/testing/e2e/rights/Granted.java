package dev.millwright.testing.e2e.rights;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a chart's roles let its account do.
record Granted(String account, List<Right> rights) {

    Granted {
        rights = List.copyOf(rights);
    }

    static Granted of(String rendered) {
        var objects = Chart.objects(rendered);
        var account = Chart.account(objects);
        return new Granted(account, Rights.of(objects, account));
    }

    SortedSet<String> texts() {
        var texts = new TreeSet<String>();
        rights.forEach(right -> texts.add(right.text(account)));
        return texts;
    }
}
