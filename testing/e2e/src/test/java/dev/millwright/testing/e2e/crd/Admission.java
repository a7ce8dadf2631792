package dev.millwright.testing.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millwright.kube.crd.CustomResources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// Asks the API server what it makes of an object. Fields it does not know are refused, so that a
/// slip of the pen in a sample cannot pass for a rule that holds.
final class Admission {

    /// Unprocessable: the object was understood and broke a rule.
    private static final int INVALID = 422;

    private static final int NOT_FOUND = 404;

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final KubernetesClient client;

    Admission(KubernetesClient client) {
        this.client = client;
    }

    /// A definition is served a moment after it is established.
    boolean isServed(Sample sample) {
        try {
            at(sample).list();
            return true;
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == NOT_FOUND) {
                return false;
            }
            throw failure;
        }
    }

    /// The object as the server would keep it.
    GenericKubernetesResource accepts(Sample sample) {
        return at(sample)
                .resource(sample.resource())
                .dryRun()
                .fieldValidation(Validation.STRICT)
                .create();
    }

    /// The kinds of a file's objects, each of which the server would keep.
    List<String> accepts(String manifests) {
        var stream = new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8));
        return client.load(stream).items().stream()
                .map(
                        each ->
                                client.resource(each)
                                        .dryRun()
                                        .fieldValidation(Validation.STRICT)
                                        .create()
                                        .getKind())
                .toList();
    }

    /// @param words what the message must say, so that the sample is not refused for another fault
    void refuses(Sample sample, String... words) {
        assertRefused(() -> accepts(sample), words);
    }

    /// The stored object after a change that the server takes.
    GenericKubernetesResource acceptsChange(Sample before, UnaryOperator<Sample> change) {
        var created = at(before).resource(fresh(before).resource()).create();
        try {
            return update(change.apply(before), created);
        } finally {
            at(before).resource(created).delete();
        }
    }

    void refusesChange(Sample before, UnaryOperator<Sample> change, String... words) {
        assertRefused(() -> acceptsChange(before, change), words);
    }

    /// The stored object after the server took the status of `sample`.
    GenericKubernetesResource acceptsStatus(Sample sample, Object status) {
        var created = at(sample).resource(fresh(sample).resource()).create();
        try {
            var changed = sample.status(status).resource();
            changed.setMetadata(created.getMetadata());
            return at(sample).resource(changed).updateStatus();
        } finally {
            at(sample).resource(created).delete();
        }
    }

    /// The scale subresource of `sample` with this status.
    GenericKubernetesResource scaleOf(Sample sample, Object status) {
        var created = at(sample).resource(fresh(sample).resource()).create();
        try {
            var changed = sample.status(status).resource();
            changed.setMetadata(created.getMetadata());
            at(sample).resource(changed).updateStatus();
            return Serialization.unmarshal(
                    client.raw(
                            "/apis/%s/%s/%s/scale"
                                    .formatted(
                                            sample.type().apiVersion(),
                                            sample.type().plural(),
                                            created.getMetadata().getName())),
                    GenericKubernetesResource.class);
        } finally {
            at(sample).resource(created).delete();
        }
    }

    void refusesStatus(Sample sample, Object status, String... words) {
        assertRefused(() -> acceptsStatus(sample, status), words);
    }

    CustomResourceDefinition definition(String name) {
        return client.apiextensions().v1().customResourceDefinitions().withName(name).require();
    }

    /// Definitions in place of those the server has; it keeps what it has.
    void acceptsDefinitions(CustomResources resources) {
        for (var definition : resources.definitions().sequencedValues()) {
            client.resource(Serialization.unmarshal(definition, CustomResourceDefinition.class))
                    .dryRun()
                    .fieldValidation(Validation.STRICT)
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    private GenericKubernetesResource update(Sample sample, GenericKubernetesResource created) {
        var changed = sample.resource();
        changed.setMetadata(created.getMetadata());
        return at(sample).resource(changed).dryRun().fieldValidation(Validation.STRICT).update();
    }

    private static Sample fresh(Sample sample) {
        return sample.named("sample-" + NAMES.incrementAndGet());
    }

    private static void assertRefused(Runnable call, String... words) {
        var refusal = catchThrowableOfType(KubernetesClientException.class, call::run);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(INVALID);
        assertThat(refusal.getMessage()).contains(words);
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            at(Sample sample) {
        var type = sample.type();
        MixedOperation<
                        GenericKubernetesResource,
                        GenericKubernetesResourceList,
                        Resource<GenericKubernetesResource>>
                all =
                        client.genericKubernetesResources(
                                new ResourceDefinitionContext.Builder()
                                        .withGroup(type.group())
                                        .withVersion(type.version())
                                        .withPlural(type.plural())
                                        .withKind(type.kind())
                                        .withNamespaced(type.isNamespaced())
                                        .build());
        return type.isNamespaced() ? all.inNamespace("default") : all;
    }
}
