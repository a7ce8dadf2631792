package dev.millwright.providers.aws.launch;

import dev.millwright.providers.aws.bootstrap.UserData;
import dev.millwright.spi.MachineClaim;

/// Hears what launches bring to light that is no answer to their claim.
public interface LaunchListener {

    /// Nobody listens.
    LaunchListener NONE =
            new LaunchListener() {
                @Override
                public void made(String nodeClass, UserData.Written words) {}

                @Override
                public void spotForbidden(MachineClaim claim, String message) {}

                @Override
                public void spotRefused(MachineClaim claim) {}
            };

    /// A template was made whose machines start by these words.
    void made(String nodeClass, UserData.Written words);

    /// The account lacks the role that spot needs, and we may not make it.
    void spotForbidden(MachineClaim claim, String message);

    /// No spot machine was to be had for the claim.
    void spotRefused(MachineClaim claim);
}
