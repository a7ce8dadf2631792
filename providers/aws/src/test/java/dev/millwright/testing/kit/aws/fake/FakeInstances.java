package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.InstanceStatusInfo;
import dev.millwright.providers.aws.api.InstanceStatusInfo.Detail;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All instances that were ever launched, oldest first, and how EC2 finds their health.
final class FakeInstances {

    private static final Health HEALTHY = new Health("ok", "ok", null, List.of());

    private final SequencedMap<String, FakeInstance> instances = new LinkedHashMap<>();
    private final SequencedMap<String, Health> healths = new TreeMap<>();

    record Health(
            String instance,
            String system,
            @Nullable Instant impairedSince,
            List<String> eventCodes) {

        Health {
            eventCodes = List.copyOf(eventCodes);
        }

        private Detail detail(String status) {
            return status.equals("ok")
                    ? new Detail("reachability", "passed", null)
                    : new Detail("reachability", "failed", impairedSince);
        }
    }

    void add(FakeInstance instance) {
        instances.put(instance.id(), instance);
    }

    Collection<FakeInstance> all() {
        return instances.sequencedValues();
    }

    void health(String id, Health health) {
        healths.put(id, health);
    }

    FakeInstance find(String id) throws AwsFault {
        return find(List.of(id)).getFirst();
    }

    List<FakeInstance> find(List<String> ids) throws AwsFault {
        var missing = ids.stream().filter(id -> !instances.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            var words =
                    missing.size() == 1
                            ? "The instance ID '%s' does not exist"
                            : "The instance IDs '%s' do not exist";
            throw AwsFault.refused(
                    "InvalidInstanceID.NotFound", words.formatted(String.join(", ", missing)));
        }
        var found = new ArrayList<FakeInstance>();
        for (var id : ids) {
            var instance = instances.get(id);
            if (instance != null) {
                found.add(instance);
            }
        }
        return found;
    }

    List<InstanceInfo> select(List<String> ids, List<Filter> filters) throws AwsFault {
        var listed =
                (ids.isEmpty() ? all() : find(ids)).stream().map(FakeInstance::listed).toList();
        return FakeListed.select(listed, filters).stream().map(FakeInstance::info).toList();
    }

    /// Of running instances.
    List<InstanceStatusInfo> statuses(List<Filter> filters) throws AwsFault {
        var listed =
                all().stream()
                        .filter(each -> each.state().equals("running"))
                        .map(this::listedStatus)
                        .toList();
        return FakeListed.select(listed, filters);
    }

    private FakeListed<InstanceStatusInfo> listedStatus(FakeInstance instance) {
        var info = instance.info();
        var health = healths.getOrDefault(info.id(), HEALTHY);
        var fields = new TreeMap<String, List<String>>();
        fields.put("instance-status.status", List.of(health.instance));
        fields.put("system-status.status", List.of(health.system));
        fields.put("event.code", health.eventCodes);
        fields.put("instance-state-name", List.of(info.state()));
        fields.put("availability-zone", List.of(info.zone()));
        return new FakeListed<>(
                new InstanceStatusInfo(
                        info.id(),
                        List.of(health.detail(health.instance)),
                        List.of(health.detail(health.system)),
                        health.eventCodes),
                fields,
                info.tags());
    }
}
