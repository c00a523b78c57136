# Two interface targets that every library and program of ours links: settings and warnings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Frames and symbols cost link time; -O2 without -g is what users run.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
# The asan preset says -O0: instrumented code takes twice as long to compile at -O1.
if(NOT FORGE_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
endif()

find_program(FORGE_CCACHE ccache)
if(FORGE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${FORGE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FORGE_CCACHE})
endif()

add_library(forge_settings INTERFACE)
target_include_directories(forge_settings INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_options(forge_settings INTERFACE -fPIC -fno-omit-frame-pointer)
# Everything but libc is linked statically, so that the executables start on a bare host.
target_link_options(forge_settings INTERFACE -static-libstdc++ -static-libgcc)

add_library(forge_warnings INTERFACE)
target_compile_options(forge_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC 12 sees uninitialised strings inside std::variant and tl::expected that are not there.
  -Wno-maybe-uninitialized)
if(FORGE_WERROR)
  target_compile_options(forge_warnings INTERFACE -Werror)
endif()

# Apart, since the runner must do without it: sanitizers do not start under its confinement.
add_library(forge_sanitize INTERFACE)
if(FORGE_SANITIZE)
  target_compile_options(forge_sanitize INTERFACE -fsanitize=${FORGE_SANITIZE} -fno-sanitize-recover=undefined)
  target_link_options(forge_sanitize INTERFACE -fsanitize=${FORGE_SANITIZE})
endif()
