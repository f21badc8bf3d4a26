#!/usr/bin/env bash
# Installs what the browser tests need beyond Rust, Node and make, on Debian or Ubuntu: a Chromium.
set -euo pipefail

if [ -x "${RAICHI_CHROMIUM:-}" ]; then exit 0; fi
for browser in chromium chromium-browser google-chrome; do
  if command -v "$browser" >/dev/null; then exit 0; fi
done
if ! command -v apt-get >/dev/null; then
  echo "The browser tests need Chromium. Install it and set RAICHI_CHROMIUM to its path." >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
"${as_root[@]}" apt-get update
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y --no-install-recommends chromium fonts-dejavu-core
