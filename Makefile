# `make` alone lists the targets.
.DEFAULT_GOAL := help
SHELL := bash
MVN := build/mvn.sh --batch-mode

.PHONY: help build check test test-all test-rest test-rights test-e2e test-bare test-hostile mutation fuzz prepare format bench bench-disruption bench-scale bench-types bench-interruptions bench-addons bench-explain bench-record bench-page differential conformance peer-suite catalogue soak picture charts capt addons capt-definitions terraform-docs archives image image-packages image-check image-figures capi-memory docker-buildx update-version update-changelog build-installer release-dry-run create-github-release clean

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Compile and package all modules, without tests
	$(MVN) -DskipTests -Dspotless.check.skip package

# A module's tests stand in its own package: core in dev.millwright.core, providers/aws in dev.millwright.providers.aws.
only_tests = -Dsurefire.failIfNoSpecifiedTests=false -Dtest='dev/millwright/$(ONLY)/**/*Test,dev/millwright/$(ONLY)/**/*Properties'

check: ## Compile, unit tests, layout, architecture: no Go, no Python, no network; ONLY=core for one module
	build/tests.sh -Dtests.excluded='long | endpoint' $(if $(ONLY),-pl $(ONLY) -am $(only_tests),-pl '!testing/e2e')

prepare: ## Build or fetch what the tests need: control plane, Helm, Terraform's providers, AWS endpoint, Chromium
	testing/prepare.sh

test: prepare ## What check does, and every capability once on a real control plane, Helm and Terraform
	@rm -rf */target/conformance */*/target/conformance testing/e2e/target/rights
	build/tests.sh -Dtests.excluded=long

# JUnit's tag `long` is on what test leaves out.
test-rest: ## What test-all does beyond test
	testing/prepare.sh --all
	MILLWRIGHT_PROVIDERS=pinned build/tests.sh -Dspotless.check.skip -Dtests.groups='long | account | seeds' -Dmillwright.aws=endpoint -Dtests.compiler=-XX:+TieredCompilation -Dmillwright.seedTimes=12 -Dsurefire.reportNameSuffix=long

test-rights: ## Compare what the charts grant with what the tests before saw their processes use
	$(MVN) --quiet -pl testing/e2e -am -Dspotless.check.skip -Dtest=LeastPrivilege -Dsurefire.failIfNoSpecifiedTests=false test

test-all: ## All tests: also images, releases, Terraform's examples, kills, long seeds
	$(MAKE) test
	$(MAKE) test-rest
	$(MAKE) test-rights

E2E = dev/millwright/testing/e2e/$(ONLY)/**/*IT
test-e2e: prepare ## The tests of one capability on the real control plane, the long ones too: ONLY=capi
	build/tests.sh -pl testing/e2e -am -Dspotless.check.skip -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false $(if $(ONLY),-Dit.test='$(E2E)' -Dfailsafe.failIfNoSpecifiedTests=true)

test-bare: ## Build and run on a Debian with nothing on it, as root (SUITES="bookworm trixie")
	testing/bootstrap/bare.sh $(SUITES)

test-hostile: ## Run the tests with nohup, another locale, time zone, umask and user, on a busy machine (SETTINGS=locale RUN="make test")
	testing/bootstrap/hostile.sh $(SETTINGS) -- $(or $(RUN),make check)

format: ## Lay out all sources as the check wants them
	$(MVN) --quiet spotless:apply

bench: ## Measure speed and price on the benchmark problems
	testing/bench/bench.sh

bench-disruption: ## Consolidate the same fleets by us and by the peer
	testing/bench/disruption.sh

bench-explain: ## Measure how long explain takes on clusters of 1,000 nodes
	testing/bench/explain.sh

bench-scale: ## Time our controller and the peer's on a real control plane
	testing/e2e/scale/scale.sh

bench-page: ## Measure the page with 2,000 nodes in Chromium
	$(MVN) --quiet -pl testing/e2e -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=PageBenchmark -Dtests.compiler=-XX:+TieredCompilation -Dfailsafe.failIfNoSpecifiedTests=false -Dmillwright.docs=write verify

bench-types: ## Measure a refresh of EC2's types and prices
	testing/bench/types.sh

bench-interruptions: ## Measure a storm of interruption messages
	testing/bench/interruptions.sh

bench-addons: ## Put ten charts on a thousand clusters, with Helm played; HEAP=256m
	testing/bench/addons.sh
bench-record: ## Record a virtual day of a large cluster and tell its size (HOURS, PODS)
	testing/bench/record.sh

differential: ## Solve the same problems with the peer and compare
	testing/bench/differential.sh

conformance: ## Run the conformance tests and report each by its id
	testing/conformance/report.sh

mutation: ## Change core one place at a time and see which tests notice (ONLY=package)
	testing/mutation/mutation.sh $(ONLY)

fuzz: ## Give readers of foreign bytes inputs that nobody thought of (TARGET=name, RUNS=10000000, LIMIT_SECONDS=3600)
	testing/fuzz/fuzz.sh $(TARGET)

peer-suite: ## Run the peer's own end-to-end suites on our controller
	testing/e2e/peer-suite/peer-suite.sh

SEEDS ?= 1..1000
soak: ## Run worlds of many seeds with all faults (SEEDS=1..1000)
	./millwright world --seeds $(SEEDS) --faults all

catalogue: ## Make the EC2 catalogue again from the public packages
	python3 providers/sim/tools/catalogue.py
	python3 providers/sim/tools/regions.py
	python3 providers/aws/tools/tables.py

picture: ## Make the picture of the demo again that README shows
	./millwright demo --picture docs/images/demo.svg

charts: ## Write again what the charts repeat of the code
	$(MVN) --quiet -pl testing/e2e -am -Dtest=ChartFilesTest -Dsurefire.failIfNoSpecifiedTests=false -Dmillwright.docs=write test

capt-definitions: ## Write the definitions of the Cluster API provider's kinds and the page about them
	python3 capi/tools/definitions.py

capt: ## Write the WorkspaceTemplates and the chart capt's definitions from their sources
	python3 deploy/capt/build.py

addons: ## Write the chart addons' definitions from their sources
	python3 deploy/addons/build.py

terraform-docs: ## Write the tables of the Terraform modules' inputs and outputs
	python3 deploy/terraform/docs.py

# Steps of a release, in their order; docs/how-to/release.md. VERSION is the project's own when it is not given, and may have
# a v before it. IMAGE=ghcr.io/OWNER/NAME says where the image lies.
update-version: ## Write VERSION into the poms and the charts
	build/release.py update-version $(VERSION)

update-changelog: ## Close the changelog's section of VERSION
	build/release.py update-changelog $(VERSION)

PLATFORMS ?= amd64 arm64 ppc64le s390x
image: ## Build the container image for PLATFORMS into target/image
	build/release.py check $(VERSION)
	./millwright --version >/dev/null
	build/image/image.py $(PLATFORMS)

docker-buildx: ## Build the image for all platforms and push it to IMAGE
	build/release.py destination $(VERSION)
	$(MAKE) image
	build/release.py push $(VERSION)

build-installer: ## Render what is installed without Helm, and what clusterctl reads, into target/release
	build/release.py build-installer $(VERSION)

CLI_PLATFORMS ?= linux-amd64 linux-arm64 darwin-amd64 darwin-arm64
archives: ## Pack the command line with its own Java for CLI_PLATFORMS into target/cli
	build/release.py check $(VERSION)
	./millwright --version >/dev/null
	build/cli/archives.py $(CLI_PLATFORMS)

release-dry-run: image archives ## Make all that a release of VERSION consists of in target/release
	build/release.py assemble $(VERSION)

create-github-release: archives ## Fill target/release, push the charts and publish by gh; DRY_RUN=1 prints how
	build/release.py assemble $(VERSION)
	build/release.py publish $(VERSION)

image-packages: ## Pin the newest Debian packages for the image
	build/image/image.py --packages

image-check: ## Run the built images, those for other machines by emulators
	testing/e2e/image/check.py target/image/millwright-controller-*-{amd64,arm64,ppc64le,s390x}.tar

image-figures: PLATFORMS = amd64
image-figures: image ## Measure the image's size, start and memory on a real control plane
	testing/e2e/image/figures.py target/image/millwright-controller-*-amd64.tar

capi-memory: ## Measure the Cluster API provider's memory with 50 clusters at rest
	./millwright --version >/dev/null
	testing/e2e/capi/memory.py

clean: ## Delete what the build wrote
	$(MVN) --quiet clean
