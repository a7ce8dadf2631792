/// Has one job: marking claims that may be disrupted, because they have drifted from what their
/// pool asks for or because no pod has come or gone for long enough.
@NullMarked
package dev.millwright.controllers.nodeclaim.disruption;

import org.jspecify.annotations.NullMarked;
