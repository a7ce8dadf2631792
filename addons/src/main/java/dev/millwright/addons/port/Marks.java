package dev.millwright.addons.port;

/// The labels that we put on a release's storage, which the listing of a cluster shows without its
/// contents. Helm hands them on from revision to revision, also when somebody else upgrades: a mark
/// alone does not prove who made a revision.
public final class Marks {

    /// Which proxy the release belongs to.
    public static final String OWNER = "millwright.dev/release-owner";

    /// A digest of the chart version, the values and the options it was deployed with.
    public static final String WANTED = "millwright.dev/release-wanted";

    /// Who made the revision: the process, a dot, and the revision's number.
    public static final String RUN = "millwright.dev/release-run";

    private Marks() {}
}
