package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi;

import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.InstanceProfile;
import software.amazon.awssdk.services.iam.model.Role;
import software.amazon.awssdk.services.iam.model.Tag;

import java.util.List;
import java.util.SequencedMap;

final class SdkIam implements IamApi {

    private static final int PAGE = 1_000;

    private final IamClient client;

    SdkIam(IamClient client) {
        this.client = client;
    }

    @Override
    public Profile profile(String name) throws AwsFault {
        var answer =
                Translation.ask(() -> client.getInstanceProfile(r -> r.instanceProfileName(name)));
        return profile(answer.instanceProfile());
    }

    @Override
    public List<Profile> profiles(String pathPrefix) throws AwsFault {
        var found =
                Pages.all(
                        marker ->
                                client.listInstanceProfiles(
                                        r ->
                                                r.pathPrefix(pathPrefix)
                                                        .maxItems(PAGE)
                                                        .marker(marker)),
                        answer -> answer.instanceProfiles(),
                        answer -> Absent.flag(answer.isTruncated()) ? answer.marker() : null);
        return found.stream().map(SdkIam::profile).toList();
    }

    @Override
    public void createProfile(String name, String path, SequencedMap<String, String> tags)
            throws AwsFault {
        var given =
                tags.entrySet().stream()
                        .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
                        .toList();
        Translation.ask(
                () ->
                        client.createInstanceProfile(
                                r -> r.instanceProfileName(name).path(path).tags(given)));
    }

    @Override
    public void addRole(String profile, String role) throws AwsFault {
        Translation.ask(
                () ->
                        client.addRoleToInstanceProfile(
                                r -> r.instanceProfileName(profile).roleName(role)));
    }

    @Override
    public void removeRole(String profile, String role) throws AwsFault {
        Translation.ask(
                () ->
                        client.removeRoleFromInstanceProfile(
                                r -> r.instanceProfileName(profile).roleName(role)));
    }

    @Override
    public void deleteProfile(String name) throws AwsFault {
        Translation.ask(() -> client.deleteInstanceProfile(r -> r.instanceProfileName(name)));
    }

    @Override
    public String roleArn(String name) throws AwsFault {
        return Translation.ask(() -> client.getRole(r -> r.roleName(name))).role().arn();
    }

    private static Profile profile(InstanceProfile found) {
        return new Profile(
                found.instanceProfileName(),
                found.path(),
                found.roles().stream().map(Role::roleName).toList(),
                Absent.tags(found.tags(), Tag::key, Tag::value));
    }
}
