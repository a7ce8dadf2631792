package dev.millwright.providers.aws.image;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SsmApi;
import dev.millwright.providers.aws.cache.TimedCache;

import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// What parameters of the parameter store say. AWS asks not to be asked often.
final class Parameters {

    private final SsmApi ssm;
    private final TimedCache<Parameter, String> values;

    Parameters(SsmApi ssm, InstantSource clock) {
        this.ssm = ssm;
        this.values = new TimedCache<>(clock, Parameter.Origin.TERM.kept());
    }

    String value(Parameter parameter) throws AwsFault {
        var known = values.find(parameter);
        if (known != null) {
            return known;
        }
        var value = ssm.parameter(parameter.name());
        values.put(parameter, value, parameter.origin().kept());
        return value;
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
    }
}
