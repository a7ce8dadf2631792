package dev.millwright.testing.e2e.store;

/// The suite on the store of a world.
final class ApiStoreTest extends StoreContract {

    private final Server server = new InProcess();

    @Override
    public Server server() {
        return server;
    }
}
