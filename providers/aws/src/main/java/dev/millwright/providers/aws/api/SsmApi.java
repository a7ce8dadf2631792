package dev.millwright.providers.aws.api;

/// What we ask of the parameter store.
public interface SsmApi {

    /// @throws AwsFault `ParameterNotFound` when there is none
    String parameter(String name) throws AwsFault;
}
