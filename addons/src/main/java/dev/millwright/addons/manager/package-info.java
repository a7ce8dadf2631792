/// Has one job: the add-ons as a process. It reads the settings once, finds out what the management
/// cluster serves and which Helm there is, and puts both controllers on the shell that all
/// operators share.
@NullMarked
package dev.millwright.addons.manager;

import org.jspecify.annotations.NullMarked;
