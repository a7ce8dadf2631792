/// Has one job: who uses a zone hears when the cluster is shifted away from it, and when no more.
@NullMarked
package dev.millwright.providers.aws.controllers.zonalshift;

import org.jspecify.annotations.NullMarked;
