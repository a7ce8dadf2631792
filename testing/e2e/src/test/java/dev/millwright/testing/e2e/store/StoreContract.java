package dev.millwright.testing.e2e.store;

import org.junit.jupiter.api.BeforeEach;

/// All that an API server does which steps and actors rely on.
///
/// Each test states one behaviour and has a namespace of its own. What a schema or a rule in CEL
/// refuses is not among them: the store admits it.
abstract class StoreContract
        implements VersionBehaviour,
                StatusBehaviour,
                PatchBehaviour,
                DeletionBehaviour,
                EvictionBehaviour,
                SelectionBehaviour,
                DefaultsBehaviour,
                CollectionBehaviour {

    private String namespace = "";

    @BeforeEach
    final void createNamespace() {
        namespace = server().createNamespace();
    }

    @Override
    public final String namespace() {
        return namespace;
    }
}
