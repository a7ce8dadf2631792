package dev.millwright.providers.aws.api;

import java.util.List;
import java.util.SequencedMap;

/// What we ask of IAM: instance profiles, which carry a node's role.
public interface IamApi {

    /// @param roles the names of its roles, of which IAM allows one
    record Profile(
            String name, String path, List<String> roles, SequencedMap<String, String> tags) {
        public Profile {
            roles = List.copyOf(roles);
        }
    }

    /// @throws AwsFault `NoSuchEntity` when there is none
    Profile profile(String name) throws AwsFault;

    List<Profile> profiles(String pathPrefix) throws AwsFault;

    /// @throws AwsFault `EntityAlreadyExists` when it is there
    void createProfile(String name, String path, SequencedMap<String, String> tags) throws AwsFault;

    void addRole(String profile, String role) throws AwsFault;

    void removeRole(String profile, String role) throws AwsFault;

    void deleteProfile(String name) throws AwsFault;

    /// The role's ARN.
    ///
    /// @throws AwsFault `NoSuchEntity` when there is none
    String roleArn(String name) throws AwsFault;
}
