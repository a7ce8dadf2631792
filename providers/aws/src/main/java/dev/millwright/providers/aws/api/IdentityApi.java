package dev.millwright.providers.aws.api;

/// What we ask of the token service.
public interface IdentityApi {

    /// @param arn of the user or of the session of a role
    record Identity(String account, String arn) {}

    /// Who we are to AWS.
    Identity identity() throws AwsFault;
}
