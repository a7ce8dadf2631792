package dev.millwright.providers.aws.bootstrap;

import dev.millwright.providers.aws.nodeclass.AmiFamily;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// What an instance is told at its first start, or why it cannot be said.
public sealed interface UserData {

    /// The text.
    ///
    /// @param notes parts of the class's own user data that were left out, for the log
    record Written(String text, List<String> notes) implements UserData {

        /// What EC2 takes at most, before it is encoded.
        public static final int BYTES_MAX = 16_384;

        /// Nine tenths of that: worth a word in the log.
        public static final int BYTES_NEAR_MAX = 14_745;

        public Written {
            notes = List.copyOf(notes);
        }

        Written(String text) {
            this(text, List.of());
        }

        /// As EC2 takes it.
        public String base64() {
            return Base64.getEncoder().encodeToString(bytes());
        }

        public int byteCount() {
            return bytes().length;
        }

        private byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /// The class's own user data cannot be read.
    record Invalid(String problem) implements UserData {}

    /// Something is not known yet that the class waits for.
    record NotReady(String problem) implements UserData {}

    static UserData of(AmiFamily family, BootstrapInput input) {
        return switch (family) {
            case AL2 -> BootstrapScript.userData(input);
            case AL2023 -> NodeadmConfig.userData(input);
            case BOTTLEROCKET -> BottlerocketSettings.userData(input);
            case WINDOWS2019, WINDOWS2022, WINDOWS2025 -> PowerShellScript.userData(input);
            case CUSTOM -> new Written(input.customText());
        };
    }
}
