package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;

import org.junit.jupiter.api.Test;

final class BackendScanTest {

    @Test
    void attributesOfABackendAreReadWhateverStandsAroundThem() {
        var backend =
                BackendScan.ofHcl(
                        """
                        # backend "s3" {}
                        locals { text = "terraform { backend \\"s3\\" {} } ${join(",", ["}"])}" }
                        /* terraform { backend "gcs" {} } */
                        resource "x" "y" {
                          script = <<-EOT
                            terraform { backend "http" {} }
                          EOT
                        }
                        terraform {
                          required_version = ">= 1.5" // as ever
                          backend "kubernetes" {
                            secret_suffix     = "aws-provider-eks"
                            namespace         = "upbound-system"
                            in_cluster_config = true
                          }
                        }
                        """);
        assertThat(backend).isNotNull();
        assertThat(backend.type()).isEqualTo("kubernetes");
        assertThat(backend.isSimple()).isTrue();
        assertThat(backend.attributes())
                .containsEntry("secret_suffix", "aws-provider-eks")
                .containsEntry("namespace", "upbound-system")
                .containsEntry("in_cluster_config", "true")
                .hasSize(3);
    }

    @Test
    void aConfigurationWithoutOneHasNone() {
        assertThat(BackendScan.ofHcl("terraform { required_version = \"1\" }\nbackend \"s3\" {}"))
                .isNull();
        assertThat(BackendScan.ofJson(Tree.of("terraform", Tree.of()).mapping())).isNull();
    }

    @Test
    void whatIsMoreThanALiteralIsNotSimple() {
        var backend =
                BackendScan.ofHcl(
                        "terraform {\n backend \"kubernetes\" {\n exec {\n command = \"aws\"\n }\n }\n}");
        assertThat(backend).isNotNull();
        assertThat(backend.isSimple()).isFalse();
    }

    @Test
    void theServiceOfHashiCorpIsABackendToo() {
        var cloud = BackendScan.ofHcl("terraform {\n cloud {\n organization = \"x\"\n }\n}");
        assertThat(cloud).isNotNull();
        assertThat(cloud.type()).isEqualTo("cloud");
    }

    @Test
    void aFileOfAttributesIsReadAsIs() {
        assertThat(BackendScan.attributes("bucket = \"b\"\nencrypt = true\n"))
                .containsEntry("bucket", "b")
                .containsEntry("encrypt", "true");
    }

    @Test
    void jsonNamesABackendByItsKey() {
        var backend =
                BackendScan.ofJson(
                        Tree.of(
                                        "terraform",
                                        Tree.of("backend", Tree.of("s3", Tree.of("bucket", "b"))))
                                .mapping());
        assertThat(backend).isNotNull();
        assertThat(backend.type()).isEqualTo("s3");
        assertThat(backend.attributes()).containsEntry("bucket", "b");
    }
}
