/// Carries out what `api` asks, over HTTP, with AWS's SDK. The only package that names the SDK: it
/// translates requests, reads all pages, and turns every failure into an [AwsFault]. It decides
/// nothing.
@NullMarked
package dev.millwright.providers.aws.sdk;

import org.jspecify.annotations.NullMarked;
