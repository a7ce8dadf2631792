package dev.millwright.providers.aws.image;

import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.ImageInfo;
import dev.millwright.providers.aws.api.SsmApi;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.nodeclass.Alias;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.providers.aws.nodeclass.SelectorTerm;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The images that the terms of classes lead to.
public final class Images {

    private static final String ID_PREFIX = "ami-";

    /// Whose images a name may mean unless the term says: everybody's would be anybody's.
    private static final List<String> OWNERS_OF_NAMES = List.of("self", "amazon");

    private final Ec2Api ec2;
    private final InstantSource clock;
    private final ClusterVersion version;
    private final Parameters parameters;
    private final TimedCache<Question, List<ImageInfo>> answers;

    /// One call to EC2. Without owners, the images of anybody.
    record Question(List<String> owners, List<Filter> filters) {}

    public sealed interface Answer {

        /// In the order of the class's status. `oddities` are terms that led nowhere, and why.
        record Found(List<Ami> amis, List<String> oddities) implements Answer {
            public Found {
                amis = List.copyOf(amis);
                oddities = List.copyOf(oddities);
            }
        }

        /// There are no images of that alias for this cluster, and asking again will not help.
        record Unsupported(String message) implements Answer {}
    }

    /// An image for one kind of machine.
    private record Candidate(
            ImageInfo image, boolean isDeprecated, List<SelectorRequirement> requirements) {

        private static final Comparator<Candidate> BEST_FIRST =
                Comparator.comparing(Candidate::isDeprecated)
                        .thenComparing(each -> each.image().createdAt(), Comparator.reverseOrder())
                        .thenComparing(each -> each.image().name(), Comparator.reverseOrder())
                        .thenComparing(each -> each.image().id());

        private static final Comparator<Candidate> NEWEST_FIRST =
                Comparator.comparing(
                                (Candidate each) -> each.image().createdAt(),
                                Comparator.reverseOrder())
                        .thenComparing(each -> each.image().id())
                        .thenComparing(each -> each.requirements().toString());

        Ami ami() {
            return new Ami(image.id(), image.name(), isDeprecated, requirements);
        }
    }

    public Images(
            Ec2Api ec2, SsmApi ssm, ClusterVersion version, InstantSource clock, Duration refresh) {
        this.ec2 = ec2;
        this.clock = clock;
        this.version = version;
        this.parameters = new Parameters(ssm, clock);
        this.answers = new TimedCache<>(clock, refresh);
    }

    public Answer of(Ec2NodeClass nodeClass) throws AwsFault {
        var alias = nodeClass.spec().alias();
        return alias == null
                ? ofTerms(nodeClass.spec().amiSelectorTerms())
                : ofAlias(alias, version.ask());
    }

    private Answer ofAlias(Alias alias, KubernetesVersion kubernetes) throws AwsFault {
        var unsupported = AliasParameters.unsupported(alias, kubernetes);
        if (unsupported != null) {
            return new Answer.Unsupported(unsupported);
        }
        var variants = new TreeMap<String, List<Variant>>();
        var oddities = new ArrayList<String>();
        for (var published : AliasParameters.of(alias, kubernetes)) {
            try {
                var id = parameters.value(published.parameter());
                variants.computeIfAbsent(id, _ -> new ArrayList<>()).addAll(published.variants());
            } catch (AwsFault fault) {
                // Not every version is published for every kind of machine.
                oddities.add(
                        "alias %s: parameter %s: %s"
                                .formatted(alias, published.parameter().name(), fault.text()));
            }
        }
        if (variants.isEmpty()) {
            throw AwsFault.refused(
                    "NoImageOfAlias",
                    "alias %s leads to no image for Kubernetes %s: %s"
                            .formatted(alias, kubernetes, String.join("; ", oddities)));
        }
        var images = answer(byId(variants.keySet()));
        return new Answer.Found(
                chosen(images, id -> variants.getOrDefault(id, List.of())), List.of());
    }

    private Answer ofTerms(List<SelectorTerm.Ami> terms) throws AwsFault {
        var oddities = new ArrayList<String>();
        var ids = new TreeSet<String>();
        var questions = new ArrayList<Question>();
        for (var term : terms) {
            if (term.id() != null) {
                ids.add(term.id());
            } else if (term.ssmParameter() != null) {
                var id = idIn(term.ssmParameter(), oddities);
                if (id != null) {
                    ids.add(id);
                }
            } else if (term.name() != null || !term.tags().isEmpty()) {
                questions.add(question(term));
            }
        }
        if (!ids.isEmpty()) {
            questions.addFirst(byId(ids));
        }
        var images = new ArrayList<ImageInfo>();
        for (var question : questions) {
            images.addAll(answer(question));
        }
        return new Answer.Found(chosen(images, _ -> List.of(Variant.ANY)), oddities);
    }

    private @Nullable String idIn(String name, List<String> oddities) throws AwsFault {
        try {
            var id = parameters.value(new Parameter(name, Parameter.Origin.TERM));
            if (id.startsWith(ID_PREFIX)) {
                return id;
            }
            oddities.add(
                    "parameter %s holds \"%s\"; wanted an image's id such as ami-0123abcd"
                            .formatted(name, id));
            return null;
        } catch (AwsFault fault) {
            if (fault.isNotFound()) {
                oddities.add("parameter %s is not there".formatted(name));
                return null;
            }
            throw fault;
        }
    }

    private static Question byId(Collection<String> ids) {
        return new Question(
                List.of(), List.of(new Filter("image-id", List.copyOf(new TreeSet<>(ids)))));
    }

    static Question question(SelectorTerm.Ami term) {
        var filters = new ArrayList<Filter>();
        if (term.name() != null) {
            filters.add(Filter.of("name", term.name()));
        }
        filters.addAll(Filter.tags(term.tags()));
        if (term.owner() != null) {
            return new Question(List.of(term.owner()), List.copyOf(filters));
        }
        return new Question(
                term.name() == null ? List.of() : OWNERS_OF_NAMES, List.copyOf(filters));
    }

    private List<ImageInfo> answer(Question question) throws AwsFault {
        var known = answers.find(question);
        if (known != null) {
            return known;
        }
        var images = describe(question);
        if (!images.isEmpty()) {
            answers.put(question, images);
        }
        return images;
    }

    private List<ImageInfo> describe(Question question) throws AwsFault {
        var filters = new ArrayList<>(question.filters());
        filters.add(Filter.of("state", "available"));
        return List.copyOf(ec2.images(question.owners(), filters));
    }

    @FunctionalInterface
    private interface Variants {
        List<Variant> of(String imageId);
    }

    /// The best image for each kind of machine.
    private List<Ami> chosen(List<ImageInfo> images, Variants variants) {
        var now = clock.instant();
        SequencedMap<List<SelectorRequirement>, Candidate> best = new LinkedHashMap<>();
        for (var image : images) {
            var architecture = architecture(image);
            if (architecture == null) {
                continue;
            }
            for (var variant : variants.of(image.id())) {
                var candidate =
                        new Candidate(image, isDeprecated(image, now), variant.on(architecture));
                best.merge(
                        candidate.requirements(),
                        candidate,
                        (one, other) ->
                                Candidate.BEST_FIRST.compare(one, other) <= 0 ? one : other);
            }
        }
        return best.values().stream().sorted(Candidate.NEWEST_FIRST).map(Candidate::ami).toList();
    }

    private static boolean isDeprecated(ImageInfo image, Instant now) {
        return image.deprecatedAt() != null && !image.deprecatedAt().isAfter(now);
    }

    /// As Kubernetes names it; null for one it does not run on.
    private static @Nullable String architecture(ImageInfo image) {
        return switch (image.architecture()) {
            case "x86_64" -> "amd64";
            case "arm64" -> "arm64";
            default -> null;
        };
    }

    /// Forgets what parameters of following aliases said where the image is deprecated or gone: by
    /// now another one is recommended.
    ///
    /// @return the parameters that will be asked for again
    public List<String> forgetDeprecated() throws AwsFault {
        var following = parameters.following();
        if (following.isEmpty()) {
            return List.of();
        }
        var question = byId(following.values());
        var good = new TreeSet<String>();
        var now = clock.instant();
        for (var image : describe(question)) {
            if (!isDeprecated(image, now)) {
                good.add(image.id());
            }
        }
        var forgotten = new ArrayList<String>();
        following.forEach(
                (parameter, id) -> {
                    if (!good.contains(id)) {
                        parameters.forget(parameter);
                        forgotten.add(parameter.name());
                    }
                });
        return List.copyOf(forgotten);
    }
}
