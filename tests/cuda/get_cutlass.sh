#!/bin/sh
# Fetches CUTLASS's headers, a dependency of tests alone, from the Python package registry into a
# build folder: tests/cuda/get_cutlass.sh build
set -eu
folder=${1:?usage: get_cutlass.sh BUILD-FOLDER}/cutlass
[ -e "$folder/cutlass_library/source/include/cutlass/cutlass.h" ] && exit 0
mkdir -p "$folder"
python3 -m pip download --quiet --no-deps --dest "$folder" nvidia-cutlass==4.2.0.0
python3 -m zipfile -e "$folder"/nvidia_cutlass-*.whl "$folder/unpacked"
rm -rf "$folder/cutlass_library"
mv "$folder/unpacked/cutlass_library" "$folder/cutlass_library"
rm -rf "$folder/unpacked" "$folder"/nvidia_cutlass-*.whl
