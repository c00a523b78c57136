// kind: read-secret-at-compile
// tries: includes the reference, which lies in another folder of the same bundle
// verdict: refused
// layer: confined compiler
// words: saxpy.cpp
#include "../../problem/reference/saxpy.cpp"
