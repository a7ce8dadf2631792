/// The pure core: values and decisions. It requires nothing that could reach the outside.
module dev.millwright.core {
    requires static transitive org.jspecify;

    exports dev.millwright.core.catalog;
    exports dev.millwright.core.cluster;
    exports dev.millwright.core.deliberation;
    exports dev.millwright.core.disruption;
    exports dev.millwright.core.explain;
    exports dev.millwright.core.forecast;
    exports dev.millwright.core.label;
    exports dev.millwright.core.policy;
    exports dev.millwright.core.quantity;
    exports dev.millwright.core.scheduling;
}
