package dev.millwright.spi;

import java.util.List;

/// Which machines the cloud will take back.
public sealed interface NoticesAnswer {

    /// Told again and again until the machine is gone.
    record Notices(List<Notice> notices) implements NoticesAnswer {
        public Notices {
            notices = List.copyOf(notices);
        }
    }

    /// This cloud takes nothing back, or tells by other ways.
    record Never() implements NoticesAnswer {}

    record Failed(String message) implements NoticesAnswer {}
}
