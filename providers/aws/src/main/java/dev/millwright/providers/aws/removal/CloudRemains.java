package dev.millwright.providers.aws.removal;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.TemplateInfo;
import dev.millwright.providers.aws.nodeclass.ResourceTags;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What is in the account for one cluster, known by its tags alone.
///
/// The cluster's own tag is not enough: node groups and load balancers bear it too. What we made
/// bears the NodePool's or the class's besides.
final class CloudRemains {

    /// As many as one call takes.
    private static final int IDS_MAX = 500;

    private static final String REGION = "topology.kubernetes.io/region";

    record Found(
            List<InstanceInfo> instances,
            List<TemplateInfo> templates,
            List<IamApi.Profile> profiles) {

        static final Found NOTHING = new Found(List.of(), List.of(), List.of());

        Found {
            instances = List.copyOf(instances);
            templates = List.copyOf(templates);
            profiles = List.copyOf(profiles);
        }
    }

    private final Ec2Api ec2;
    private final IamApi iam;
    private final String cluster;
    private final String region;
    private final Pattern profileName;

    CloudRemains(Ec2Api ec2, IamApi iam, String cluster, String region) {
        this.ec2 = ec2;
        this.iam = iam;
        this.cluster = cluster;
        this.region = region;
        this.profileName = Pattern.compile(Pattern.quote(cluster) + "_[0-9]+");
    }

    Found look() throws AwsFault {
        var marks =
                List.of(
                        Filter.of("tag:" + ResourceTags.owned(cluster), ResourceTags.OWNED),
                        Filter.of("tag-key", ResourceTags.NODE_POOL));
        var instances =
                ec2.instances(List.of(), List.of(marks.getFirst(), marks.getLast(), Filter.ALIVE));
        return new Found(instances, ec2.launchTemplates(marks), profiles());
    }

    /// IAM is the same in all regions, and a cluster of the same name may live in another one. A
    /// list tells no tags: those whose path or name could be ours are asked for.
    private List<IamApi.Profile> profiles() throws AwsFault {
        var ours = new ArrayList<IamApi.Profile>();
        var path = "/karpenter/%s/%s/".formatted(region, cluster);
        for (var listed : iam.profiles("/")) {
            if (listed.path().startsWith(path) || profileName.matcher(listed.name()).matches()) {
                try {
                    var profile = iam.profile(listed.name());
                    if (isOurs(profile.tags())) {
                        ours.add(profile);
                    }
                } catch (AwsFault fault) {
                    if (!fault.isNotFound()) {
                        throw fault;
                    }
                }
            }
        }
        return ours;
    }

    private boolean isOurs(Map<String, String> tags) {
        return ResourceTags.OWNED.equals(tags.get(ResourceTags.owned(cluster)))
                && tags.containsKey(ResourceTags.NODE_CLASS)
                && tags.getOrDefault(REGION, region).equals(region);
    }

    /// Those of the ids whose instances still exist, whoever's they are.
    SortedSet<String> existing(SortedSet<String> ids) throws AwsFault {
        var existing = new TreeSet<String>();
        for (var some : parts(List.copyOf(ids))) {
            try {
                ec2.instances(some, List.of(Filter.ALIVE)).forEach(each -> existing.add(each.id()));
            } catch (AwsFault fault) {
                if (!fault.isNotFound()) {
                    throw fault;
                }
                for (var id : some) {
                    if (exists(id)) {
                        existing.add(id);
                    }
                }
            }
        }
        return existing;
    }

    private boolean exists(String id) throws AwsFault {
        try {
            return !ec2.instances(List.of(id), List.of(Filter.ALIVE)).isEmpty();
        } catch (AwsFault fault) {
            if (fault.isNotFound()) {
                return false;
            }
            throw fault;
        }
    }

    /// Tells them to end. One that EC2 refuses must not keep the others.
    ///
    /// @return why some were not, by id
    SequencedMap<String, String> end(List<String> ids) {
        var refused = new TreeMap<String, String>();
        for (var some : parts(ids)) {
            try {
                ec2.terminate(some);
            } catch (AwsFault together) {
                for (var id : some) {
                    try {
                        ec2.terminate(List.of(id));
                    } catch (AwsFault fault) {
                        if (!fault.isNotFound()) {
                            refused.put(id, fault.text());
                        }
                    }
                }
            }
        }
        return refused;
    }

    private static List<List<String>> parts(List<String> ids) {
        var parts = new ArrayList<List<String>>();
        for (var from = 0; from < ids.size(); from += IDS_MAX) {
            parts.add(ids.subList(from, Math.min(ids.size(), from + IDS_MAX)));
        }
        return parts;
    }

    /// @throws AwsFault unless it is gone when this returns
    void delete(TemplateInfo template) throws AwsFault {
        AwsFault.unlessGone(() -> ec2.deleteLaunchTemplate(template.name()));
    }

    void delete(IamApi.Profile profile) throws AwsFault {
        for (var role : profile.roles()) {
            AwsFault.unlessGone(() -> iam.removeRole(profile.name(), role));
        }
        AwsFault.unlessGone(() -> iam.deleteProfile(profile.name()));
    }
}
