/// What all controllers of NodeClaims share: how one is made, and how a cloud sees it.
@NullMarked
package dev.millwright.controllers.nodeclaim;

import org.jspecify.annotations.NullMarked;
