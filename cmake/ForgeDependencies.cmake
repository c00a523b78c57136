# Where each dependency comes from. Debian ships fmt and toml++ as shared libraries only; both carry
# their implementation in headers, so each is compiled here once into a static library.
find_package(PkgConfig REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_path(NLOHMANN_INCLUDE nlohmann/json.hpp REQUIRED)
find_path(FMT_INCLUDE fmt/format-inl.h REQUIRED)
find_path(TOMLPP_INCLUDE toml++/toml.h REQUIRED)
find_path(MUSTACHE_INCLUDE kainjow/mustache.hpp REQUIRED)
find_library(SODIUM_STATIC libsodium.a REQUIRED)
find_library(SECCOMP_STATIC libseccomp.a REQUIRED)

add_library(forge_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_instance.cc)
target_include_directories(forge_fmt SYSTEM PUBLIC ${FMT_INCLUDE})
target_compile_options(forge_fmt PRIVATE -fPIC)

add_library(forge_toml STATIC ${CMAKE_SOURCE_DIR}/cmake/toml_instance.cc)
target_include_directories(forge_toml SYSTEM PUBLIC ${TOMLPP_INCLUDE})
target_compile_definitions(forge_toml PUBLIC TOML_HEADER_ONLY=0 TOML_EXCEPTIONS=0)
target_compile_options(forge_toml PRIVATE -fPIC)

add_library(forge_sodium INTERFACE)
target_link_libraries(forge_sodium INTERFACE ${SODIUM_STATIC})
add_library(forge_seccomp INTERFACE)
target_link_libraries(forge_seccomp INTERFACE ${SECCOMP_STATIC})

if(FORGE_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
message(STATUS "static: fmt ${FMT_INCLUDE}, toml++ ${TOMLPP_INCLUDE}, ${SODIUM_STATIC}, ${SECCOMP_STATIC}")
