/// What the provider's own loops share.
@NullMarked
package dev.millwright.providers.aws.controllers;

import org.jspecify.annotations.NullMarked;
