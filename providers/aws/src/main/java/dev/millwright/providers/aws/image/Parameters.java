package dev.millwright.providers.aws.image;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SsmApi;
import dev.millwright.providers.aws.cache.TimedCache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// What parameters of the parameter store say. AWS asks not to be asked often.
final class Parameters {

    /// How long an old value stands in where SSM does not answer.
    private static final Duration STANDS_IN = Duration.ofDays(7);

    private final SsmApi ssm;
    private final TimedCache<Parameter, String> values;
    private final TimedCache<Parameter, String> older;

    Parameters(SsmApi ssm, InstantSource clock) {
        this.ssm = ssm;
        this.values = new TimedCache<>(clock, Parameter.Origin.TERM.kept());
        this.older = new TimedCache<>(clock, STANDS_IN);
    }

    String value(Parameter parameter) throws AwsFault {
        var known = values.find(parameter);
        if (known != null) {
            return known;
        }
        try {
            var value = ssm.parameter(parameter.name());
            values.put(parameter, value, parameter.origin().kept());
            older.put(parameter, value);
            return value;
        } catch (AwsFault fault) {
            return standIn(parameter, fault);
        }
    }

    /// One parameter of an alias that is not told for a moment must not take its image, and with it
    /// the nodes that run it, out of the class.
    private String standIn(Parameter parameter, AwsFault fault) throws AwsFault {
        var old =
                fault.isPassing() && parameter.origin() != Parameter.Origin.TERM
                        ? older.find(parameter)
                        : null;
        if (old == null) {
            throw fault;
        }
        return old;
    }

    /// The image ids of aliases that follow what is recommended.
    SequencedMap<Parameter, String> following() {
        var following = new LinkedHashMap<Parameter, String>();
        values.all()
                .forEach(
                        (parameter, value) -> {
                            if (parameter.origin() == Parameter.Origin.FOLLOWING_ALIAS) {
                                following.put(parameter, value);
                            }
                        });
        return Collections.unmodifiableSequencedMap(following);
    }

    void forget(Parameter parameter) {
        values.remove(parameter);
        older.remove(parameter);
    }
}
