package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.e2e.rights.Chart;
import dev.millwright.testing.e2e.rights.ChartAccount;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Manager, Terraform or both die at random moments of an apply: it goes on from the state, and
/// nothing is made twice or left out of the state.
///
/// `-Dmillwright.kills=20` and `-Dmillwright.awskills=20` kill more often, `-Dmillwright.seed=N` at
/// other moments.
@Tag("long")
final class WorkspaceDeathIT {

    private static final int KILLS = 4;
    private static final int AWS_KILLS = 1;
    private static final int STEPS = 6;
    private static final int MILLIS_MAX = 3_000;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static ControlPlane plane;
    private static Path root;
    private static WorkspaceManager reader;
    private static Workspaces workspaces;

    /// Who dies.
    private enum Victim {
        TERRAFORM,
        MANAGER,
        BOTH
    }

    @BeforeAll
    static void start() throws IOException {
        plane = ControlPlane.start(ControlPlane.Options.apiOnly());
        CaptDefinitions.install(plane);
        plane.kubectl("create", "namespace", WorkspaceManager.NAMESPACE);
        root = Files.createTempDirectory("death");
        reader = new WorkspaceManager(plane.kubeconfig(), root.resolve("none"), LIMIT, LIMIT);
        workspaces = new Workspaces(plane, reader.api());
        Files.writeString(
                root.resolve("terraformrc"),
                """
                provider_installation {
                  filesystem_mirror { path = "%s" }
                }
                """
                        .formatted(Tools.path("providers")));
        plane.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: default}
                spec: {credentials: []}
                """);
        AwsEndpoint.shared().reset();
    }

    @AfterAll
    static void stop() {
        reader.close();
        plane.close();
    }

    /// Steps one after another, each of which takes a while and leaves a line behind.
    private static String steps(String name, int round) {
        return """
               resource "terraform_data" "%s" {
                 count            = %d
                 triggers_replace = [%d]
                 provisioner "local-exec" {
                   command = "sleep 0.4; echo %d-${count.index} >> %s"
                 }
               }
               output "round" { value = "%d" }
               """
                .formatted(name, STEPS, round, round, root.resolve(name), round);
    }

    /// Each round makes one rule more and changes those there are.
    private static String rules(int round) {
        return """
               terraform {
                 required_providers {
                   aws = { source = "hashicorp/aws" }
                 }
               }
               provider "aws" {
                 region                      = "us-east-1"
                 skip_credentials_validation = true
                 skip_requesting_account_id  = true
                 skip_metadata_api_check     = true
               }
               resource "aws_vpc" "it" { cidr_block = "10.9.0.0/16" }
               resource "aws_cloudwatch_event_rule" "it" {
                 count               = %d
                 name                = "death-${count.index}"
                 description         = "round %d in ${aws_vpc.it.id}"
                 schedule_expression = "rate(1 hour)"
               }
               """
                        .formatted(round + 2, round)
                + steps("aws", round);
    }

    private static Process manager() throws IOException {
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkspaceManager.class.getName(),
                        ChartAccount.of(plane, Chart.CAPT).kubeconfig().toString(),
                        root.resolve("runs").toString());
        var environment = builder.environment();
        environment.put("TF_CLI_CONFIG_FILE", root.resolve("terraformrc").toString());
        environment.put("AWS_ENDPOINT_URL", AwsEndpoint.shared().uri().toString());
        environment.put("AWS_ACCESS_KEY_ID", "test");
        environment.put("AWS_SECRET_ACCESS_KEY", "test");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
        environment.put("AWS_CONFIG_FILE", "/dev/null");
        environment.put("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
        return builder.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(root.resolve("manager.log").toFile()))
                .start();
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /// Terraform's processes in our folder, but not its plug-ins.
    private static List<ProcessHandle> terraforms() {
        return ProcessHandle.allProcesses()
                .filter(
                        each ->
                                each.info()
                                        .command()
                                        .map(c -> c.endsWith("/terraform"))
                                        .orElse(false))
                .filter(
                        each -> {
                            try {
                                return Files.readSymbolicLink(
                                                Path.of("/proc/%d/cwd".formatted(each.pid())))
                                        .startsWith(root);
                            } catch (IOException gone) {
                                return false;
                            }
                        })
                .toList();
    }

    /// One after another, so that at most one step is under way at each death.
    @Test
    void noStepThatWasFinishedIsDoneAgain() throws Exception {
        var kills = Integer.getInteger("millwright.kills", KILLS);
        rounds("steps", kills, round -> steps("steps", round));
        var lines = Files.readAllLines(root.resolve("steps"));
        var wanted = (kills + 1) * STEPS;
        assertThat(lines.stream().distinct().count()).isEqualTo(wanted);
        assertThat(lines).hasSizeLessThanOrEqualTo(wanted + kills);
    }

    @Test
    void inTheAccountIsWhatIsInTheState() throws Exception {
        var kills = Integer.getInteger("millwright.awskills", AWS_KILLS);
        rounds("aws", kills, WorkspaceDeathIT::rules);
        assertThat(ours()).isEqualTo(wanted(kills));
        assertThat(vpcs()).isEqualTo(1);
        deleted("aws");
        assertThat(ours()).isEmpty();
        assertThat(vpcs()).isZero();
    }

    /// Applies one module after another, with a death in each apply but the first.
    private static void rounds(String name, int kills, IntFunction<String> module)
            throws Exception {
        var seed = Long.getLong("millwright.seed", 1L);
        var random = new Random(seed);
        var process = manager();
        var inTheMiddle = 0;
        try {
            make(name, module.apply(0));
            ready(name, 0, "the beginning");
            for (var round = 1; round <= kills; round++) {
                var wanted = round;
                make(name, module.apply(round));
                Eventually.see(
                        "apply of round " + round,
                        LIMIT,
                        () -> workspaces.find(name),
                        found ->
                                found != null
                                        && (Workspaces.isReason(found, "Running", "Apply")
                                                || isRound(found, wanted)));
                Thread.sleep(random.nextInt(MILLIS_MAX));
                inTheMiddle += terraforms().isEmpty() ? 0 : 1;
                var victim = Victim.values()[random.nextInt(Victim.values().length)];
                if (victim != Victim.TERRAFORM) {
                    kill(process);
                }
                if (victim != Victim.MANAGER) {
                    terraforms().forEach(ProcessHandle::destroyForcibly);
                }
                if (victim != Victim.TERRAFORM) {
                    process = manager();
                }
                ready(name, round, "the death of %s, seed %d".formatted(victim, seed));
            }
        } finally {
            kill(process);
        }
        System.err.printf(
                "%s: %d kills, %d while Terraform ran, seed %d%n", name, kills, inTheMiddle, seed);
    }

    private static void make(String name, String module) {
        workspaces.make(name, module, "", "applyArgs: [-parallelism=1]");
    }

    private static void ready(String name, int round, String after) {
        workspaces.see(
                "is ready in round %d after %s".formatted(round, after),
                name,
                found ->
                        isRound(found, round)
                                && found.conditions().isTrue("Ready")
                                && found.conditions().isTrue("Synced"));
    }

    private static void deleted(String name) throws Exception {
        var process = manager();
        try {
            workspaces.delete(name);
            workspaces.gone(name);
        } finally {
            kill(process);
        }
    }

    private static boolean isRound(RawObject found, int round) {
        return Workspaces.output(found, "round").equals(Integer.toString(round));
    }

    private static List<String> wanted(int kills) {
        return IntStream.range(0, kills + 2)
                .mapToObj(each -> "rules: death-" + each)
                .sorted()
                .toList();
    }

    private static List<String> ours() {
        return AwsEndpoint.shared().account().stream()
                .filter(each -> each.startsWith("rules: death-"))
                .toList();
    }

    /// Besides the one that every account has.
    private static long vpcs() {
        return AwsEndpoint.shared().account().stream()
                        .filter(each -> each.startsWith("vpcs: "))
                        .count()
                - 1;
    }
}
