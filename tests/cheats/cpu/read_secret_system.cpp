// kind: read-secret-at-compile
// tries: includes a file of the machine to see it in the diagnostics
// verdict: refused
// layer: confined compiler
// words: passwd
#include "/etc/passwd"
