# shellcheck shell=bash
# Terraform and its providers, for build.sh, which has `source`d this file.

readonly PROVIDERS_HOST=registry.terraform.io
# The oldest that deploy/terraform/*/versions.tf accept.
readonly AWS_PROVIDER_MIN=5.95.0
readonly HELM_PROVIDER_MIN=3.0.0
# What deploy/terraform, deploy/capt and examples/capt need of AWS's 250 services.
readonly AWS_SERVICES=(ec2 eks events iam kms meta s3 sqs ssm sts)
readonly DOWNLOAD_SECONDS_MAX=600

platform() { echo "$(uname -s | tr '[:upper:]' '[:lower:]')_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')"; }

terraform_cli() {
    local own="$CACHE/tofu-$TOFU_VERSION/tofu"
    command -v terraform && return
    compile "$own" install "github.com/opentofu/opentofu/cmd/tofu@v$TOFU_VERSION"
    echo "$own"
}

# The folders in which Terraform looks for providers by itself, those that its settings name, and where machines that
# build images keep them.
plugin_folders() {
    local settings="${TF_CLI_CONFIG_FILE:-$HOME/.terraformrc}"
    if [[ -r "$settings" ]]; then
        sed -nE 's/^[[:space:]]*(path|plugin_cache_dir)[[:space:]]*=[[:space:]]*"([^"]*)".*/\2/p' "$settings"
    fi
    printf '%s\n' "${TF_PLUGIN_CACHE_DIR:-}" "$HOME/.terraform.d/plugins" \
        "${XDG_DATA_HOME:-$HOME/.local/share}/terraform/plugins" \
        /usr/local/share/terraform/plugins /usr/share/terraform/plugins /opt/*/
}

# found_provider NAME OLDEST: the newest of the machine's own that is new enough, as the folder of its version
found_provider() {
    local folder version
    while IFS= read -r folder; do
        [[ -n "$folder" ]] || continue
        for version in "${folder%/}/$PROVIDERS_HOST/hashicorp/$1"/*/"$(platform)"; do
            if compgen -G "$version/terraform-provider-$1_v*" >/dev/null; then
                dirname "$version"
            fi
        done
    done < <(plugin_folders) | awk -F/ '{print $NF "\t" $0}' | sort -V |
        awk -F'\t' -v oldest="$2" '
            function number(version, parts) { split(version, parts, /[.-]/); return parts[1] * 1e8 + parts[2] * 1e4 + parts[3] }
            number($1) >= number(oldest) { newest = $2 }
            END { if (newest) print newest; else exit 1 }'
}

# downloaded_provider NAME VERSION: by Terraform itself, which checks signatures. Fails where no registry is in reach.
downloaded_provider() {
    local target="$CACHE/downloaded/$1/$2" work cli
    if [[ ! -d "$target" ]]; then
        cli=$(command -v terraform) || return 1
        mkdir -p "$CACHE/downloaded/$1"
        work=$(mktemp -d "$CACHE/downloaded/$1.XXXXXX")
        cat >"$work/main.tf" <<CONFIGURATION
terraform {
  required_providers {
    $1 = {
      source  = "hashicorp/$1"
      version = "$2"
    }
  }
}
CONFIGURATION
        if TF_REGISTRY_DISCOVERY_RETRY=0 TF_REGISTRY_CLIENT_TIMEOUT=10 CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=/dev/null \
            timeout "$DOWNLOAD_SECONDS_MAX" "$cli" -chdir="$work" init -backend=false -input=false >"$work/log" 2>&1; then
            mv -T "$work/.terraform/providers/$PROVIDERS_HOST/hashicorp/$1/$2" "$target" 2>/dev/null || true
        fi
        rm -rf "$work"
        [[ -d "$target" ]] || return 1
        say "downloaded Terraform's provider $1 $2"
    fi
    echo "$target"
}

# slim_aws_provider FOLDER: the whole one takes half an hour, the one with our services three minutes.
slim_aws_provider() {
    local sources
    sources=$(module github.com/hashicorp/terraform-provider-aws "${AWS_PROVIDER[1]}" .) || return 1
    python3 "$(dirname "${BASH_SOURCE[0]}")/slim_provider.py" "$sources" "$CACHE/slim" "${AWS_SERVICES[@]}" || return 1
    (cd "$CACHE/slim" && GOFLAGS="-buildvcs=false -gcflags=all=-dwarf=false" run_go build -trimpath -ldflags="-s -w" -o "$1/" .) ||
        return 1
    rm -rf "$CACHE/slim"
}

# pinned_provider NAME VERSION COMMAND…: built by the command, unless it is there; prints the folder of its version
pinned_provider() {
    local folder="$CACHE/pinned/$PROVIDERS_HOST/hashicorp/$1/$2"
    compile "$folder/$(platform)/terraform-provider-$1_v$2" "${@:3}"
    echo "$folder"
}

pinned_aws() { pinned_provider aws "${AWS_PROVIDER[0]}" slim_aws_provider; }

pinned_helm() {
    pinned_provider helm "${HELM_PROVIDER[0]}" install "github.com/hashicorp/terraform-provider-helm@${HELM_PROVIDER[1]}"
}

# link_provider MIRROR NAME FOLDER: makes the folder of a version the only one that MIRROR has of the provider, so that every
# `terraform init` chooses the same. OpenTofu asks under its own registry's name. Both follow no link but the last.
link_provider() {
    local host home link="$(basename "$3")/$(platform)"
    for host in "$PROVIDERS_HOST" registry.opentofu.org; do
        home="$1/$host/hashicorp/$2"
        if [[ "$(readlink "$home"/*/*)" != "$3/$(platform)" ]]; then
            rm -rf "$home"
            mkdir -p "$home/$(dirname "$link")"
            ln -s "$3/$(platform)" "$home/$link"
        fi
    done
}

pinned_providers() {
    local mirror="$CACHE/mirror-pinned" folder
    folder=$(pinned_helm)
    link_provider "$mirror" helm "$folder"
    folder=$(pinned_aws)
    link_provider "$mirror" aws "$folder"
    echo "$mirror"
}

# any_provider NAME OLDEST VERSION: the folder of the machine's, the registry's or the pinned one
any_provider() { found_provider "$1" "$2" || downloaded_provider "$1" "$3" || "pinned_$1"; }

# MILLWRIGHT_PROVIDERS=pinned has every test use the pinned ones.
providers() {
    local mirror="$CACHE/mirror" folder
    if [[ "${MILLWRIGHT_PROVIDERS:-}" == pinned ]]; then
        pinned_providers
        return
    fi
    folder=$(any_provider helm "$HELM_PROVIDER_MIN" "${HELM_PROVIDER[0]}")
    link_provider "$mirror" helm "$folder"
    folder=$(any_provider aws "$AWS_PROVIDER_MIN" "${AWS_PROVIDER[0]}")
    link_provider "$mirror" aws "$folder"
    echo "$mirror"
}
