// kind: read-secret-at-compile
// tries: includes the oracle and hopes that a diagnostic quotes it
// verdict: refused
// layer: confined compiler
// words: oracle.cpp
#include "../../problem/check/oracle.cpp"
