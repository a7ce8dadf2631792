package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.LaunchTemplate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// The launch templates we know to be there. One that nobody has used for a while is deleted.
public final class LaunchTemplates {

    static final Duration UNUSED_MAX = Duration.ofMinutes(1);

    private static final String CLUSTER_TAG = "eks:eks-cluster-name";

    private final Ec2Api ec2;
    private final InstantSource clock;

    /// One at a time makes, looks up or deletes templates: two callers that want the same one would
    /// otherwise both make it.
    private final ReentrantLock lock = new ReentrantLock();

    private final TreeMap<String, Instant> lastUsed = new TreeMap<>();

    public LaunchTemplates(Ec2Api ec2, InstantSource clock) {
        this.ec2 = ec2;
        this.clock = clock;
    }

    /// The template is there when this returns.
    ///
    /// @return whether it was made just now
    public boolean ensure(LaunchTemplate template) throws AwsFault {
        lock.lock();
        try {
            var isMade = !lastUsed.containsKey(template.name()) && createUnlessThere(template);
            lastUsed.put(template.name(), clock.instant());
            return isMade;
        } finally {
            lock.unlock();
        }
    }

    private boolean createUnlessThere(LaunchTemplate template) throws AwsFault {
        try {
            ec2.launchTemplate(template.name());
            return false;
        } catch (AwsFault fault) {
            if (!fault.isNotFound()) {
                throw fault;
            }
            return create(template);
        }
    }

    /// Another replica, or our own request that was not answered, may have been first.
    private boolean create(LaunchTemplate template) throws AwsFault {
        try {
            ec2.createLaunchTemplate(template);
            return true;
        } catch (AwsFault fault) {
            if (!fault.code().equals("InvalidLaunchTemplateName.AlreadyExistsException")) {
                throw fault;
            }
            return false;
        }
    }

    /// EC2 says they are not there: they are looked up or made again when somebody wants them.
    void forget(Collection<String> names) {
        lock.lock();
        try {
            names.forEach(lastUsed::remove);
        } finally {
            lock.unlock();
        }
    }

    /// Takes over what an earlier leader made, so that what it left behind is deleted in time.
    public void hydrate(String cluster) throws AwsFault {
        lock.lock();
        try {
            for (var template : ec2.launchTemplates(List.of(tag(CLUSTER_TAG, cluster)))) {
                lastUsed.putIfAbsent(template.name(), clock.instant());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Deletes what has not been used for a while. What cannot be deleted is tried again next time.
    ///
    /// @return what EC2 would not delete
    public List<AwsFault> sweep() {
        lock.lock();
        try {
            var faults = new ArrayList<AwsFault>();
            var unusedSince = clock.instant().minus(UNUSED_MAX);
            var unused =
                    lastUsed.entrySet().stream()
                            .filter(entry -> !entry.getValue().isAfter(unusedSince))
                            .map(Map.Entry::getKey)
                            .toList();
            for (var name : unused) {
                try {
                    ec2.deleteLaunchTemplate(name);
                    lastUsed.remove(name);
                } catch (AwsFault fault) {
                    if (fault.isNotFound()) {
                        lastUsed.remove(name);
                    } else {
                        faults.add(fault);
                    }
                }
            }
            return faults;
        } finally {
            lock.unlock();
        }
    }

    private static Filter tag(String key, String value) {
        return Filter.of("tag:" + key, value);
    }
}
