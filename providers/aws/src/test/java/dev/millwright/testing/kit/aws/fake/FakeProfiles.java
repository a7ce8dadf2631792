package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi.Profile;
import dev.millwright.testing.kit.aws.TestAccount;

import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Instance profiles, and the roles that they may carry.
final class FakeProfiles {

    private static final Set<String> ROLES = Set.of(TestAccount.ROLE, "other-role");

    private final SequencedMap<String, Profile> profiles = new TreeMap<>();

    boolean isThere(String name) {
        return profiles.containsKey(name);
    }

    Profile find(String name) throws AwsFault {
        var found = profiles.get(name);
        if (found == null) {
            throw missing("Instance profile", name);
        }
        return found;
    }

    List<Profile> below(String pathPrefix) {
        return profiles.values().stream()
                .filter(each -> each.path().startsWith(pathPrefix))
                .toList();
    }

    void create(String name, String path, SequencedMap<String, String> tags) throws AwsFault {
        if (isThere(name)) {
            throw AwsFault.refused(
                    "EntityAlreadyExists", "Instance Profile %s already exists.".formatted(name));
        }
        profiles.put(name, new Profile(name, path, List.of(), new TreeMap<>(tags)));
    }

    void addRole(String name, String role) throws AwsFault {
        var profile = find(name);
        checkRole(role);
        if (!profile.roles().isEmpty()) {
            throw AwsFault.refused(
                    "LimitExceeded",
                    "Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1");
        }
        profiles.put(name, withRoles(profile, List.of(role)));
    }

    void removeRole(String name, String role) throws AwsFault {
        var profile = find(name);
        checkRole(role);
        if (!profile.roles().contains(role)) {
            throw missing("Role", role);
        }
        profiles.put(name, withRoles(profile, List.of()));
    }

    private static Profile withRoles(Profile profile, List<String> roles) {
        return new Profile(profile.name(), profile.path(), roles, profile.tags());
    }

    void delete(String name) throws AwsFault {
        if (!find(name).roles().isEmpty()) {
            throw AwsFault.refused(
                    "DeleteConflict",
                    "Cannot delete entity, must remove roles from instance profile first.");
        }
        profiles.remove(name);
    }

    String roleArn(String role) throws AwsFault {
        checkRole(role);
        return "arn:aws:iam::%s:role/%s".formatted(TestAccount.ACCOUNT, role);
    }

    private static void checkRole(String role) throws AwsFault {
        if (!ROLES.contains(role)) {
            throw missing("Role", role);
        }
    }

    private static AwsFault missing(String kind, String name) {
        return AwsFault.refused("NoSuchEntity", "%s %s not found".formatted(kind, name));
    }
}
