#!/usr/bin/env bash
# Runs the endpoint's own tests.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
exec "$("$here/build.sh")" "$here/tests/test_endpoint.py"
