// Where artefacts and oracle cases are kept between calls. May know: context.h.
#pragma once

#include "cli/context.h"

namespace forge {

// $XDG_CACHE_HOME/forgekernel, else $HOME/.cache/forgekernel, absolute; made if it is not there.
Result<Path> cache_folder(Context& context);

}  // namespace forge
