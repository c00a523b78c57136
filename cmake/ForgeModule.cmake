# forge_module(<name> SOURCES … DEPENDS … TESTS …)
# One static library a module, forge_<name>, and one unit-test program, <name>_test. Sources are
# listed explicitly; tests lie beside the code. The include directions are checked by a test.
function(forge_module name)
  cmake_parse_arguments(M "" "" "SOURCES;DEPENDS;TESTS;TEST_DEPENDS" ${ARGN})
  if(M_SOURCES)
    add_library(forge_${name} STATIC ${M_SOURCES})
    target_link_libraries(forge_${name} PUBLIC forge_settings ${M_DEPENDS} forge_fmt
                          PRIVATE forge_warnings forge_sanitize)
  else()
    add_library(forge_${name} INTERFACE)
    target_link_libraries(forge_${name} INTERFACE forge_settings ${M_DEPENDS})
  endif()
  if(M_TESTS AND FORGE_TESTS)
    forge_test(${name}_test LABEL unit SOURCES ${M_TESTS} DEPENDS forge_${name} ${M_TEST_DEPENDS})
  endif()
endfunction()

# tests_unit, tests_cli, …: the programs of one label.
foreach(label unit cli crash cheat device)
  add_custom_target(tests_${label})
endforeach()

# forge_test(<name> LABEL unit|cli|crash|cheat|device SOURCES … DEPENDS …)
function(forge_test name)
  cmake_parse_arguments(T "" "LABEL;TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE FORGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             FORGE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE ${T_DEPENDS} forge_warnings forge_sanitize
                        GTest::gmock GTest::gtest_main rapidcheck)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_dependencies(tests_${T_LABEL} ${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT})
endfunction()
