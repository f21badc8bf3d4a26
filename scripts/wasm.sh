#!/usr/bin/env bash
# Builds core, games and search for the browser's machine, plays every game there, in Node, and compares with this machine.
# Skipped where the target is not installed. Where a compiler can build the target's standard library itself, say so:
#   RUSTC_BOOTSTRAP=1 RUSTC=… CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=… WASM_FLAGS=-Zbuild-std=std,panic_abort scripts/wasm.sh
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
library=$("${RUSTC:-rustc}" --print target-libdir --target "$target" 2>/dev/null || true)
if [ ! -d "$library" ] && [ -z "${WASM_FLAGS:-}" ]; then
  echo "WebAssembly: skipped, the target $target is not installed (rustup target add $target)."
  exit 0
fi

# A folder of its own: another compiler may build here.
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/wasm
build() { "${CARGO:-cargo}" build --quiet --release --manifest-path bench/wasm/Cargo.toml --target-dir "$folder" "$@"; }
build --bin raichi-wasm
# shellcheck disable=SC2086 # several flags
build --lib --target "$target" ${WASM_FLAGS:-}
"$folder/release/raichi-wasm" >"$folder/native.txt"
node bench/wasm/compare.mjs "$folder/$target/release/raichi_wasm.wasm" "$folder/native.txt"
