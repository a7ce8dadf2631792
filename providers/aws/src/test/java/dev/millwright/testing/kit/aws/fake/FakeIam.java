package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi;

import java.util.List;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// IAM of a [FakeAccount].
final class FakeIam implements IamApi {

    /// IAM gives no more at once, whatever is asked.
    private static final int PAGE = 1_000;

    private final Supplier<FakeState> state;

    FakeIam(Supplier<FakeState> state) {
        this.state = state;
    }

    private FakeCalls calls() {
        return state.get().calls();
    }

    private FakeProfiles profiles() {
        return state.get().profiles();
    }

    private static Tree named(String profile) {
        return Tree.of("InstanceProfileName", profile);
    }

    @Override
    public Profile profile(String name) throws AwsFault {
        return calls().ask("GetInstanceProfile", named(name), () -> profiles().find(name));
    }

    @Override
    public List<Profile> profiles(String pathPrefix) throws AwsFault {
        return calls().pagesAsTheyAre(
                        "ListInstanceProfiles",
                        Tree.of("PathPrefix", pathPrefix),
                        PAGE,
                        () -> profiles().below(pathPrefix));
    }

    @Override
    public void createProfile(String name, String path, SequencedMap<String, String> tags)
            throws AwsFault {
        calls().run(
                        "CreateInstanceProfile",
                        named(name).put("Path", path).putTexts("Tags", tags),
                        () -> profiles().create(name, path, tags));
    }

    @Override
    public void addRole(String profile, String role) throws AwsFault {
        calls().run(
                        "AddRoleToInstanceProfile",
                        named(profile).put("RoleName", role),
                        () -> profiles().addRole(profile, role));
    }

    @Override
    public void removeRole(String profile, String role) throws AwsFault {
        calls().run(
                        "RemoveRoleFromInstanceProfile",
                        named(profile).put("RoleName", role),
                        () -> profiles().removeRole(profile, role));
    }

    @Override
    public void deleteProfile(String name) throws AwsFault {
        calls().run("DeleteInstanceProfile", named(name), () -> profiles().delete(name));
    }

    @Override
    public String roleArn(String name) throws AwsFault {
        return calls().ask("GetRole", Tree.of("RoleName", name), () -> profiles().roleArn(name));
    }
}
