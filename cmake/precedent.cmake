# The four shapes of target this project has. Each folder of src/ is one static library.
include(GoogleTest)

# One precompiled header for all libraries and one for all tests.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cc "")
add_library(precedent_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cc)
target_link_libraries(precedent_pch PUBLIC precedent_options)
target_precompile_headers(precedent_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
if(PRECEDENT_BUILD_TESTS)
  add_library(precedent_pch_test OBJECT ${CMAKE_BINARY_DIR}/pch.cc)
  target_link_libraries(precedent_pch_test PUBLIC precedent_options GTest::gmock GTest::gtest)
  target_precompile_headers(precedent_pch_test PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch_test.h)
  # The code under test is optimised as users run it; the tests themselves compile in half the time without.
  set(PRECEDENT_TEST_OPTIONS -O0)
  target_compile_options(precedent_pch_test PRIVATE ${PRECEDENT_TEST_OPTIONS})
endif()

# Environment of tests: what the sanitizers say of libraries, not of this project. And the seconds after which a test is
# taken to hang: under a sanitizer everything is several times slower.
set(PRECEDENT_SANITIZER_OPTIONS "")
set(PRECEDENT_TEST_TIMEOUT 600)
if(PRECEDENT_SANITIZE)
  set(PRECEDENT_TEST_TIMEOUT 3000)
endif()
if(PRECEDENT_SANITIZE MATCHES thread)
  set(PRECEDENT_SANITIZER_OPTIONS "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/races.supp")
elseif(PRECEDENT_SANITIZE)
  set(PRECEDENT_SANITIZER_OPTIONS
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks.supp:print_suppressions=0")
endif()

# precedent_library(<folder> SOURCES ... [LINK ...]): src/<folder> as the static library precedent_<folder>.
function(precedent_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(precedent_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(precedent_${name} PUBLIC precedent_options ${ARG_LINK})
  target_precompile_headers(precedent_${name} REUSE_FROM precedent_pch)
endfunction()

# precedent_test(<name> SOURCES ... [LINK ...] [LABELS ...] [FIXTURES ...] [ENVIRONMENT NAME=value] [IN_MEMORY]): a GoogleTest
# binary; each case is a ctest test. FIXTURES name what must have been set up before; "model" fetches the embedding model
# (src/embed). IN_MEMORY puts temporary files on a file system in memory: for tests that sync thousands of times, where a
# disk takes minutes.
function(precedent_test name)
  cmake_parse_arguments(ARG "IN_MEMORY" "" "SOURCES;LINK;LABELS;FIXTURES;ENVIRONMENT" ${ARGN})
  if(NOT PRECEDENT_BUILD_TESTS)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${PRECEDENT_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM precedent_pch_test)
  # An empty value would vanish on the way through CMake's lists and shift the names and values after it.
  set(properties TIMEOUT ${PRECEDENT_TEST_TIMEOUT})
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  if(ARG_FIXTURES)
    list(APPEND properties FIXTURES_REQUIRED "${ARG_FIXTURES}")
  endif()
  if(ARG_IN_MEMORY AND IS_DIRECTORY /dev/shm)
    list(APPEND ARG_ENVIRONMENT TMPDIR=/dev/shm)
  endif()
  list(APPEND ARG_ENVIRONMENT ${PRECEDENT_SANITIZER_OPTIONS})
  # By `env` before the test, since CMake 3.25 loses all but the first variable of a property given to each case.
  if(ARG_ENVIRONMENT)
    set_target_properties(${name} PROPERTIES CROSSCOMPILING_EMULATOR "env;${ARG_ENVIRONMENT}")
  endif()
  gtest_discover_tests(${name} PROPERTIES ${properties}
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60)
endfunction()

# precedent_bench(<name> SOURCES ... [LINK ...]): a Google Benchmark binary, never a test.
function(precedent_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(NOT PRECEDENT_BUILD_BENCHES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} benchmark::benchmark)
endfunction()

# All fuzz targets are one program, linked once: `fuzz_targets`, under the name of each (cmake/fuzz_targets.cc.in).
if(PRECEDENT_FUZZ)
  add_executable(fuzz_targets)
  target_link_options(fuzz_targets PRIVATE -fsanitize=fuzzer)
endif()

# precedent_fuzz(<name> SOURCES ... [LINK ...]): a libFuzzer target (preset fuzz, clang), to be run as
# build/fuzz/fuzz/<name>. ctest runs each for FUZZ_SECONDS (10) seconds under the label "fuzz". The seed
# is fixed, so that a change of this repository fails and not the dice; FUZZ_SEED=0 throws them.
# WHOLE: it links the agent, half of the program, so that PRECEDENT_FUZZ_WHOLE=OFF leaves it out (`make fuzz-readers`).
function(precedent_fuzz name)
  cmake_parse_arguments(ARG "WHOLE" "" "SOURCES;LINK" ${ARGN})
  if(NOT PRECEDENT_FUZZ OR (ARG_WHOLE AND NOT PRECEDENT_FUZZ_WHOLE))
    return()
  endif()
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE LLVMFuzzerTestOneInput=fuzz_${name})
  target_link_libraries(fuzz_targets PRIVATE ${name} ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY PRECEDENT_FUZZ_TARGETS ${name})
  # Through a shell, so that FUZZ_SECONDS is that of the run rather than of the configuration.
  add_test(NAME fuzz.${name} COMMAND sh -c
    "exec ${CMAKE_BINARY_DIR}/fuzz/${name} -seed=\${FUZZ_SEED:-1} -max_total_time=\${FUZZ_SECONDS:-10} -rss_limit_mb=2048 -timeout=10")
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
endfunction()

# After the last precedent_fuzz(): the table of targets, and a link for each.
function(precedent_fuzz_program)
  get_property(names GLOBAL PROPERTY PRECEDENT_FUZZ_TARGETS)
  set(PRECEDENT_FUZZ_DECLARATIONS "")
  set(PRECEDENT_FUZZ_ROWS "")
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  foreach(name ${names})
    string(APPEND PRECEDENT_FUZZ_DECLARATIONS "extern \"C\" int fuzz_${name}(const uint8_t* data, size_t size);\n")
    string(APPEND PRECEDENT_FUZZ_ROWS "    {\"${name}\", fuzz_${name}},\n")
    file(CREATE_LINK ${CMAKE_BINARY_DIR}/fuzz_targets ${CMAKE_BINARY_DIR}/fuzz/${name} SYMBOLIC)
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/fuzz_targets.cc.in ${CMAKE_BINARY_DIR}/fuzz_targets.cc @ONLY)
  target_sources(fuzz_targets PRIVATE ${CMAKE_BINARY_DIR}/fuzz_targets.cc)
  target_link_libraries(fuzz_targets PRIVATE precedent_options)
  set_target_properties(fuzz_targets PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
