/// Has one job: values of core to bytes and back, equal ones written once. It imports only `core`,
/// and reaches no file.
@NullMarked
package dev.millwright.kube.record.value;

import org.jspecify.annotations.NullMarked;
