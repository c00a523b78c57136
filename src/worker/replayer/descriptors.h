// The descriptors that a replayer finds open. May know: nothing.
#pragma once

namespace forge {

inline constexpr int kReplayerChannelFd = 3;
inline constexpr int kReplayerRotationFd = 4;  // rotate.ptx

}  // namespace forge
