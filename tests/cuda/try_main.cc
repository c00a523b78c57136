#include "cuda/cuda_rig.h"
#include <cstdio>
int main(int argc,char**argv){ using namespace forge; CudaRig rig(Path(FORGE_SOURCE_DIR)/"tests/tasks/plan_cuda"); 
 for(int i=1;i<argc;++i){ auto o=rig.prepare(file_text(argv[i]), {Path(FORGE_SOURCE_DIR)/"tests/cuda/kernels"}); if(auto*k=std::get_if<CudaKernel>(&o)){ std::printf("%s: planned: compile %.3f plan %.3f steps %zu kernels %zu out=[%s]\n",argv[i],k->compile_seconds,k->plan_seconds,k->planned.plan.variants[0].steps.size(),k->planned.plan.kernels.size(),k->planned.output.c_str()); } else { auto&c=std::get<CandidateOutcome>(o); std::printf("%s: %s: %s\n",argv[i],std::string(verdict_name(c)).c_str(),explain(c).c_str()); } } }
