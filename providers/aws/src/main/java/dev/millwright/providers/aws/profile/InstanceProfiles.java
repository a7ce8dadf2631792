package dev.millwright.providers.aws.profile;

import dev.millwright.core.policy.GoHash;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// The instance profiles of classes that name a role.
///
/// A profile's role is never changed: instances of the old role would have the new one at once. A
/// class whose role changes gets another profile, and the old one goes when nobody has it any more.
public final class InstanceProfiles {

    private static final Duration PROFILE_KEPT = Duration.ofMinutes(15);

    /// For as long as the status may not yet show a profile that was just made.
    private static final Duration MADE_KEPT = Duration.ofMinutes(1);

    private static final Duration ROLE_MISSING_KEPT = Duration.ofMinutes(1);

    /// A claim that was launched with a profile tells so only after a while.
    private static final Duration PROTECTED = Duration.ofHours(1);

    private static final Pattern NAME = Pattern.compile("[\\w+=,.@-]{1,128}");

    private final IamApi iam;
    private final String clusterName;
    private final String region;
    private final Supplier<UUID> chance;
    private final TimedCache<String, IamApi.Profile> known;
    private final TimedCache<Made, String> made;
    private final TimedCache<String, AwsFault> missingRoles;
    private final TimedCache<String, Boolean> guarded;

    private record Made(String role, String uid) {}

    /// @param chance makes names that nobody had before
    public InstanceProfiles(
            IamApi iam,
            String clusterName,
            String region,
            InstantSource clock,
            Supplier<UUID> chance) {
        this.iam = iam;
        this.clusterName = clusterName;
        this.region = region;
        this.chance = chance;
        this.known = new TimedCache<>(clock, PROFILE_KEPT);
        this.made = new TimedCache<>(clock, MADE_KEPT);
        this.missingRoles = new TimedCache<>(clock, ROLE_MISSING_KEPT);
        this.guarded = new TimedCache<>(clock, PROTECTED);
    }

    /// The name of the profile that the class's instances are to have, made if need be.
    public String of(Ec2NodeClass nodeClass) throws AwsFault {
        var before = nodeClass.status().instanceProfile();
        var named = nodeClass.spec().instanceProfile();
        if (named != null) {
            if (before != null && !before.equals(named)) {
                protect(before);
            }
            return named;
        }
        var role = nodeClass.spec().role();
        if (role == null) {
            throw AwsFault.refused(
                    "NoRole",
                    "EC2NodeClass %s has neither role nor instanceProfile; wanted one of them"
                            .formatted(nodeClass.name()));
        }
        return ofRole(nodeClass, roleName(role), before);
    }

    private String ofRole(Ec2NodeClass nodeClass, String role, @Nullable String before)
            throws AwsFault {
        var key = new Made(role, nodeClass.meta().uid());
        var justMade = made.find(key);
        if (justMade != null) {
            return justMade;
        }
        if (before != null) {
            var current = find(before);
            if (current != null
                    && !current.roles().isEmpty()
                    && current.roles().getFirst().equals(role)) {
                return before;
            }
        }
        var name = name(clusterName, region, nodeClass.name(), chance.get().toString());
        create(nodeClass, name, role);
        made.put(key, name);
        if (before != null) {
            protect(before);
        }
        return name;
    }

    /// IAM knows a role by what follows its path.
    static String roleName(String role) {
        return role.substring(role.lastIndexOf('/') + 1);
    }

    /// `salt` tells the profiles of one class apart; Karpenter before 1.7 had none.
    static String name(String clusterName, String region, String className, String salt) {
        var hash = GoHash.text(region + className + salt);
        return clusterName + "_" + Long.toUnsignedString(hash);
    }

    private String pathOfCluster() {
        return "/karpenter/%s/%s/".formatted(region, clusterName);
    }

    private String path(Ec2NodeClass nodeClass) {
        return pathOfCluster() + nodeClass.meta().uid() + "/";
    }

    private SequencedMap<String, String> tags(Ec2NodeClass nodeClass) {
        var tags = new TreeMap<>(nodeClass.spec().tags());
        tags.put("kubernetes.io/cluster/" + clusterName, "owned");
        tags.put("eks:eks-cluster-name", clusterName);
        tags.put("karpenter.k8s.aws/ec2nodeclass", nodeClass.name());
        tags.put("topology.kubernetes.io/region", region);
        return tags;
    }

    private void create(Ec2NodeClass nodeClass, String name, String role) throws AwsFault {
        // Without the role a profile is of no use: do not make one after another.
        var missing = missingRoles.find(role);
        if (missing != null) {
            throw missing;
        }
        protect(name);
        try {
            createWithRole(nodeClass, name, role);
        } catch (AwsFault fault) {
            if (isRoleMissing(fault)) {
                missingRoles.put(role, fault);
            }
            takeBack(name);
            throw fault;
        }
    }

    private void createWithRole(Ec2NodeClass nodeClass, String name, String role) throws AwsFault {
        List<String> roles = List.of();
        try {
            iam.createProfile(name, path(nodeClass), tags(nodeClass));
        } catch (AwsFault fault) {
            if (!fault.isAlreadyThere()) {
                throw fault;
            }
            // A call of which we heard nothing was carried out after all.
            roles = iam.profile(name).roles();
        }
        if (!roles.contains(role)) {
            for (var other : roles) {
                iam.removeRole(name, other);
            }
            iam.addRole(name, role);
        }
        known.put(name, new IamApi.Profile(name, path(nodeClass), List.of(role), tags(nodeClass)));
    }

    private static boolean isRoleMissing(AwsFault fault) {
        var message = fault.getMessage();
        return fault.code().equals("NoSuchEntity")
                && message != null
                && message.toLowerCase(Locale.ROOT).contains("role");
    }

    /// What is half made goes at once; what cannot go now is left to the garbage collection.
    private void takeBack(String name) {
        try {
            delete(name);
        } catch (AwsFault _) {
            guarded.remove(name);
        }
    }

    private IamApi.@Nullable Profile find(String name) throws AwsFault {
        var before = known.find(name);
        if (before != null) {
            return before;
        }
        try {
            var profile = iam.profile(name);
            known.put(name, profile);
            return profile;
        } catch (AwsFault fault) {
            if (fault.isNotFound()) {
                return null;
            }
            throw fault;
        }
    }

    private void protect(String name) {
        guarded.put(name, true);
    }

    boolean isProtected(String name) {
        return guarded.find(name) != null;
    }

    /// Deletes all profiles that were ever made for the class.
    public void deleteAll(Ec2NodeClass nodeClass) throws AwsFault {
        for (var profile : iam.profiles(path(nodeClass))) {
            delete(profile.name());
        }
        var legacy = name(clusterName, region, nodeClass.name(), "");
        if (NAME.matcher(legacy).matches()) {
            delete(legacy);
        }
    }

    /// Deletes the profiles of this cluster's classes that nobody has, nor had a short while ago.
    ///
    /// @param used the names that classes and claims tell
    /// @return the names of those deleted, and why others could not be
    public Swept sweep(Set<String> used) throws AwsFault {
        var deleted = new ArrayList<String>();
        var failures = new ArrayList<String>();
        for (var profile : iam.profiles(pathOfCluster())) {
            var name = profile.name();
            if (used.contains(name) || isProtected(name)) {
                continue;
            }
            try {
                delete(name);
                deleted.add(name);
            } catch (AwsFault fault) {
                failures.add("instance profile %s: %s".formatted(name, fault.text()));
            }
        }
        return new Swept(deleted, failures);
    }

    public record Swept(List<String> deleted, List<String> failures) {
        public Swept {
            deleted = List.copyOf(deleted);
            failures = List.copyOf(failures);
        }
    }

    /// One that is not there is as good as deleted.
    private void delete(String name) throws AwsFault {
        known.remove(name);
        var profile = find(name);
        if (profile != null) {
            for (var role : profile.roles()) {
                AwsFault.unlessGone(() -> iam.removeRole(name, role));
            }
            AwsFault.unlessGone(() -> iam.deleteProfile(name));
        }
        known.remove(name);
        guarded.remove(name);
        made.all()
                .forEach(
                        (key, each) -> {
                            if (each.equals(name)) {
                                made.remove(key);
                            }
                        });
    }
}
