package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.ResourceTags;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.providers.aws.trial.LaunchTrial;
import dev.millwright.providers.aws.trial.TrialChoice;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// Tries a class by what its first launch would ask for: the same template, made by the same code.
public final class LaunchTrials implements LaunchTrial {

    private static final String ON_DEMAND = LabelKeys.CAPACITY_TYPE_ON_DEMAND;

    private final Launcher launcher;
    private final TypeCatalogue catalogue;
    private final PlacementGroups groups;
    private final String cluster;
    private final LabelVocabulary vocabulary;
    private final InstantSource clock;

    public LaunchTrials(
            Launcher launcher,
            TypeCatalogue catalogue,
            PlacementGroups groups,
            String cluster,
            InstantSource clock) {
        this.launcher = launcher;
        this.catalogue = catalogue;
        this.groups = groups;
        this.cluster = cluster;
        this.vocabulary = Ec2Labels.VOCABULARY;
        this.clock = clock;
    }

    @Override
    public Plan plan(Ec2NodeClass nodeClass, List<NodePool> pools) throws AwsFault {
        var group = groups.known(nodeClass);
        return switch (catalogue.types(ClassFacts.of(nodeClass, group), clock.instant())) {
            case CatalogAnswer.Failed(var message) -> new Plan.Impossible(message);
            case CatalogAnswer.Unevaluated() ->
                    new Plan.Impossible("overlays are not evaluated yet");
            case CatalogAnswer.Types(var types) -> {
                var choice = TrialChoice.of(types, pools, nodeClass, vocabulary);
                yield choice == null
                        ? new Plan.Impossible(
                                "none of %d instance types takes any of the class's images"
                                        .formatted(types.size()))
                        : plan(nodeClass, choice);
            }
        };
    }

    private Plan plan(Ec2NodeClass nodeClass, TrialChoice choice) throws AwsFault {
        var tags = ResourceTags.of(nodeClass, cluster, "");
        var order =
                new Launcher.Order(
                        Wish.of(claim(nodeClass, choice), vocabulary),
                        nodeClass,
                        tags,
                        List.of(choice.type()),
                        groups.known(nodeClass));
        var group =
                new TemplateGroup(
                        choice.ami(),
                        0,
                        Math.toIntExact(choice.type().capacity().amount(Resources.PODS).units()),
                        null,
                        List.of(choice.type()));
        return switch (launcher.ensure(order, group, ON_DEMAND)) {
            case Launcher.Ensured.Speechless(var why) -> new Plan.Impossible(why);
            case Launcher.Ensured.There(var template) -> ready(nodeClass, choice, tags, template);
        };
    }

    private static MachineClaim claim(Ec2NodeClass nodeClass, TrialChoice choice) {
        return new MachineClaim(
                "trial",
                "",
                nodeClass.meta().createdAt(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                List.of(
                        in(LabelKeys.INSTANCE_TYPE, choice.type().name()),
                        in(LabelKeys.CAPACITY_TYPE, ON_DEMAND),
                        in(Ec2Labels.TENANCY, choice.tenancy())),
                List.of(),
                List.of(),
                Resources.NONE,
                new NodeClassRef(
                        Ec2NodeClass.KIND.group(), Ec2NodeClass.KIND.kind(), nodeClass.name()),
                "",
                "");
    }

    private static SelectorRequirement in(String key, String value) {
        return new SelectorRequirement(key, Operator.IN, List.of(value), null);
    }

    private static Plan ready(
            Ec2NodeClass nodeClass,
            TrialChoice choice,
            SequencedMap<String, String> tags,
            LaunchTemplate template) {
        var overrides = new ArrayList<FleetRequest.Override>();
        var instances = new ArrayList<TrialInstance>();
        for (var subnet : nodeClass.status().subnets()) {
            overrides.add(
                    new FleetRequest.Override(
                            choice.type().name(),
                            subnet.id(),
                            choice.ami().id(),
                            subnet.zone(),
                            price(choice.type(), subnet.zone())));
            instances.add(
                    new TrialInstance(
                            template.name(),
                            choice.type().name(),
                            subnet.id(),
                            choice.ami().id(),
                            template.interfaces(),
                            tags));
        }
        return new Plan.Ready(
                new FleetRequest(
                        1,
                        ON_DEMAND,
                        null,
                        "lowest-price",
                        List.of(),
                        nodeClass.spec().context(),
                        tags,
                        List.of(new FleetRequest.Config(template.name(), overrides)),
                        null),
                instances);
    }

    private static double price(InstanceType type, String zone) {
        return type.offerings().stream()
                .filter(offering -> offering.zone().equals(zone))
                .filter(offering -> offering.capacityType().equals(ON_DEMAND))
                .mapToDouble(offering -> offering.pricePerHour())
                .findFirst()
                .orElse(0);
    }
}
