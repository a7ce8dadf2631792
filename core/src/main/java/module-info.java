/// Pure values and decisions. Requires nothing but JSpecify, so that a client, a socket or a logger
/// here does not compile.
module dev.millwright.core {
    requires static transitive org.jspecify;
}
