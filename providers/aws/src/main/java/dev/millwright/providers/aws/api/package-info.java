/// What we ask of AWS, in our own words: one port a service, its questions and its answers as
/// values. Nothing here knows the SDK; `sdk` carries these out over HTTP.
@NullMarked
package dev.millwright.providers.aws.api;

import org.jspecify.annotations.NullMarked;
