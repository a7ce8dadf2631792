package dev.millwright.providers.sim.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

final class SimSettingsTest {

    @ParameterizedTest
    @ValueSource(strings = {"Interruptions", "Mishaps", "Capacity", "Timing", "ApiFaults"})
    void defaultsAreWholeWhicheverPartIsUsedFirst(String part)
            throws IOException, ReflectiveOperationException {
        try (var fresh = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class.forName(SimSettings.class.getName() + "$" + part, true, fresh);
            var settings = Class.forName(SimSettings.class.getName(), true, fresh);

            assertThat(settings.getField("DEFAULT").get(null)).hasNoNullFieldsOrProperties();
        }
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(SimSettingsTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException wrong) {
            throw new IllegalArgumentException(path, wrong);
        }
    }
}
