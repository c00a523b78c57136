// What the planner's process calls. Plain C interface, looked up by name.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// `setup` and `recording` stay mapped.
void forge_recorder_open(const void* setup, void* recording);
void* forge_recorder_stream();
void forge_recorder_begin(std::uint32_t call);
void forge_recorder_end(int result);
void forge_recorder_workspace(std::uint64_t call, std::uint64_t bytes);
// Answers the set-up's occupancy questions.
void forge_recorder_answer();
}
