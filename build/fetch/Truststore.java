import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

/// Writes the certificates of a PEM file into a store that Java reads as its own: `Truststore.java PEM STORE`.
final class Truststore {

    private Truststore() {}

    /// The password that everyone uses for a store without secrets.
    private static final String PASSWORD = "changeit";

    static void main(String[] arguments) throws Exception {
        var store = KeyStore.getInstance("JKS");
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(Path.of(arguments[0]))) {
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + store.size(), certificate);
            }
        }
        if (store.size() == 0) {
            throw new IllegalArgumentException(arguments[0] + " holds no certificate");
        }
        try (var out = Files.newOutputStream(Path.of(arguments[1]))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }
}
