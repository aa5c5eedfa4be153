/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The links of 29 episodes of the seed feed, checked by hand, in the order of the feed:
 * the URL, and of the text about it the number of words, the first and the last one. The
 * sentences themselves belong to the podcast. */

typedef struct
{
  guint episode;
  guint n_words;
  const char *first;
  const char *last;
  const char *heading; /* (nullable) */
  const char *address;
} SeedLink;

#define READ "Further reading"
#define CODE "Code pointers"

static const SeedLink seed_links[] = {
  { 83, 4, "See", "at", NULL, "https://github.com/pytorch/pytorch/pull/130935" },
  { 70, 14, "I", "VariableTracker", NULL, "https://docs.google.com/document/d/1XDPNK3iNNShg07jRXDOrMk2V_i66u1hEbPltcsxE-3E/edit#heading=h.i6v7gqw5byv6" },
  { 69, 11, "You", "to", NULL, "https://pytorch-dev-podcast.simplecast.com/episodes/zero-one-specialization" },
  { 68, 14, "Mikey", "sync", NULL, "https://www.youtube.com/watch?v=NJV7YFbtoR4" },
  { 67, 5, "For", "out", NULL, "https://docs.google.com/document/d/13K03JN4gkbr40UMiW4nbZYtsw8NngQwrTRnL3knetGM/edit#" },
  { 66, 4, "Soumith's", "PT2.0", NULL, "https://youtu.be/vbtGZL7IrAw?t=1037" },
  { 66, 2, "PT2", "Manifesto", NULL, "https://docs.google.com/document/d/1tlgPcR2YmC3PcQuYDPUORFmEaBPQEmo8dsh4eUjnlyI/edit#" },
  { 66, 2, "PT2", "Architecture", NULL, "https://docs.google.com/document/d/1wpv8D2iwGkKjWyKof9gFdTf8ISszKbq1tsMVm-3hSuU/edit#" },
  { 63, 6, "Other", "first", NULL, "https://pytorch-dev-podcast.simplecast.com/episodes/reference-counting" },
  { 63, 6, "Other", "first", NULL, "https://pytorch-dev-podcast.simplecast.com/episodes/pyobject-preservation" },
  { 62, 9, "Mike", "semantics", NULL, "https://github.com/pytorch/pytorch/issues/78050" },
  { 62, 14, "My", "at", NULL, "http://blog.ezyang.com/2019/05/pytorch-internals/" },
  { 60, 5, "The", "at", NULL, "https://youtu.be/_qB2Ho1O3u4" },
  { 56, 4, "NVIDIA", "Wikipedia", READ, "https://en.wikipedia.org/wiki/Category:Nvidia_microarchitectures" },
  { 56, 9, "A", "architecture", READ, "https://arnon.dk/matching-sm-architectures-arch-and-gencode-for-various-nvidia-cards/" },
  { 55, 14, "This", "podcast", READ, "https://www.youtube.com/watch?v=-Z-17h3jG0A" },
  { 55, 8, "Max", "PyTorch", READ, "https://github.com/pytorch/pytorch/issues/28341" },
  { 55, 21, "At", "podcast", READ, "https://pytorch-dev-podcast.simplecast.com/episodes/multiple-dispatch-in-torch-function" },
  { 54, 10, "The", "great", READ, "https://en.wikipedia.org/wiki/IEEE_754" },
  { 54, 7, "How", "training", READ, "https://arxiv.org/abs/1905.12322" },
  { 54, 5, "Definition", "PyTorch", READ, "https://github.com/pytorch/pytorch/blob/master/aten/src/ATen/AccumulateType.h" },
  { 53, 19, "Today", "leak", NULL, "https://github.com/pytorch/pytorch/issues/13246" },
  { 53, 7, "A", "issue", READ, "https://github.com/pytorch/pytorch/issues/13246#issuecomment-905703662" },
  { 53, 3, "DataLoader", "RFC", READ, "https://github.com/pytorch/pytorch/issues/49440" },
  { 53, 2, "Cinder", "Python", READ, "https://github.com/facebookincubator/cinder" },
  { 52, 3, "ufuncs", "gufuncs", READ, "https://numpy.org/doc/stable/reference/ufuncs.html" },
  { 52, 3, "ufuncs", "gufuncs", READ, "https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html" },
  { 52, 9, "A", "behavior", READ, "http://blog.ezyang.com/2020/05/a-brief-taxonomy-of-pytorch-operators-by-shape-behavior/" },
  { 52, 6, "Related", "vmap", READ, "https://pytorch-dev-podcast.simplecast.com/episodes/tensoriterator" },
  { 52, 6, "Related", "vmap", READ, "https://pytorch-dev-podcast.simplecast.com/episodes/vmap" },
  { 51, 5, "This", "form", READ, "https://dev-discuss.pytorch.org/t/functorch-levels-as-dynamically-allocated-classes/294" },
  { 51, 7, "Multiple", "RFC", READ, "https://github.com/pytorch/rfcs/blob/master/RFC-0001-torch-function-for-methods.md#process-followed-during-a-functionmethod-call" },
  { 38, 4, "stop", "arguments", READ, "https://github.com/pytorch/pytorch/issues/54613" },
  { 37, 7, "The", "is", READ, "https://pytorch.org/audio/stable/index.html" },
  { 37, 7, "The", "is", READ, "https://pytorch.org/text/stable/index.html" },
  { 37, 7, "The", "is", READ, "https://pytorch.org/vision/stable/index.html" },
  { 35, 18, "CUDAGeneratorImpl", "stuff", READ, "https://github.com/pytorch/pytorch/blob/1dee99c973fda55e1e9cac3d50b4d4982b6c6c26/aten/src/ATen/CUDAGeneratorImpl.h" },
  { 35, 9, "Transform", "with", READ, "https://github.com/pytorch/pytorch/blob/master/aten/src/ATen/core/TransformationHelper.h" },
  { 35, 1, "torchcsprng", "torchcsprng", READ, "https://github.com/pytorch/csprng" },
  { 34, 5, "Tracking", "support", READ, "https://github.com/pytorch/pytorch/issues/42368" },
  { 34, 3, "BatchedTensor", "code", READ, "https://github.com/pytorch/pytorch/blob/master/aten/src/ATen/BatchedTensorImpl.h" },
  { 34, 4, "logical-physical", "code", READ, "https://github.com/pytorch/pytorch/blob/master/aten/src/ATen/VmapTransforms.h" },
  { 34, 8, "functorch,", "vmap", READ, "https://github.com/facebookresearch/functorch" },
  { 34, 1, "Autodidax", "Autodidax", READ, "https://jax.readthedocs.io/en/latest/autodidax.html" },
  { 33, 3, "expecttest", "implementation", READ, "https://github.com/pytorch/pytorch/blob/master/torch/testing/_internal/expecttest.py" },
  { 32, 10, "XLA's", "out", READ, "https://github.com/pytorch/xla/blob/master/OP_LOWERING_GUIDE.md" },
  { 32, 2, "the", "main", READ, "https://github.com/pytorch/xla/blob/master/README.md" },
  { 32, 6, "Alex", "core", READ, "https://github.com/pytorch/rfcs/pull/18" },
  { 31, 15, "The", "idioms", READ, "https://github.com/pytorch/pytorch/wiki/TH-to-ATen-porting-guide" },
  { 31, 6, "Old", "TH", READ, "https://github.com/pytorch/pytorch/blob/master/aten/src/README.md" },
  { 27, 3, "C++", "tutorial", READ, "https://pytorch.org/tutorials/advanced/cpp_frontend.html" },
  { 27, 6, "Writing", "manifesto)", READ, "https://github.com/pytorch/pytorch/wiki/Writing-Python-in-cpp-(a-manifesto)" },
  { 27, 2, "MaybeOwned", "PR", READ, "https://github.com/pytorch/pytorch/pull/53317" },
  { 24, 3, "Implementation", "nn.Module", READ, "https://github.com/pytorch/pytorch/blob/master/torch/nn/modules/module.py" },
  { 24, 14, "nn.Module", "at", READ, "https://dev-discuss.pytorch.org/t/overhead-in-nn-module-causing-massive-slowdowns-compared-to-raw-cublas-or-torchscript/110" },
  { 24, 3, "Lazy", "PR", READ, "https://github.com/pytorch/pytorch/pull/44538" },
  { 24, 2, "factory", "kwargs", READ, "https://github.com/pytorch/pytorch/pull/54508" },
  { 18, 4, "TorchScript", "doc", READ, "https://github.com/pytorch/pytorch/blob/master/torch/csrc/jit/docs/serialization.md" },
  { 18, 6, "Evolution", "time", READ, "https://github.com/pytorch/pytorch/issues/31877" },
  { 18, 2, "Tensor", "__reduce_ex__", CODE, "https://github.com/pytorch/pytorch/blob/de845020a0da39e621db984515bc1cce03f526ea/torch/_tensor.py#L97-L178" },
  { 18, 3, "Python", "serialization", CODE, "https://github.com/pytorch/pytorch/blob/de845020a0da39e621db984515bc1cce03f526ea/torch/serialization.py#L384-L499" },
  { 18, 3, "C++", "serialization", CODE, "https://github.com/pytorch/pytorch/tree/master/torch/csrc/jit/serialization" },
  { 13, 6, "Pull", "views", READ, "https://github.com/pytorch/pytorch/pull/54987" },
  { 13, 19, "The", "in", READ, "https://github.com/pytorch/pytorch/issues/41857" },
  { 13, 16, "Conjugate", "is", READ, "https://www.cis.upenn.edu/~bcpierce/papers/lenses-etapsslides.pdf" },
  { 9, 8, "Script", "ROCm", READ, "https://github.com/pytorch/pytorch/blob/master/tools/amd_build/build_amd.py" },
  { 9, 1, "PyTorch/XLA", "PyTorch/XLA", READ, "https://github.com/pytorch/xla/" },
  { 9, 10, "Brian", "like", READ, "https://github.com/pytorch/xla/issues/2871" },
  { 7, 8, "Section", "AD", READ, "https://openreview.net/pdf/25b8eee6c373d48b84e5e9c6e10e7cbbbce4ac73.pdf" },
  { 7, 12, "RFC", "backends", READ, "https://github.com/pytorch/rfcs/pull/19" },
  { 7, 11, "Code", "updated", READ, "https://github.com/pytorch/pytorch/blob/e5e095cbe4dbc5a601f98e6134dcbd59c6342d7d/torch/csrc/autograd/variable.cpp#L556-L603" },
  { 1, 6, "Python", "PyTorch", READ, "https://github.com/pytorch/pytorch/blob/65968ab817db323a532f50a2f2ea131ae27dada5/torch/csrc/autograd/python_variable.cpp" },
  { 1, 7, "pybind11", "identity", READ, "https://github.com/pybind/pybind11/blob/54430436fee2afc4f8443691075a6208f9ea8eba/include/pybind11/detail/internals.h#L99" },
  { 1, 6, "Tensor", "properties", READ, "https://github.com/pytorch/pytorch/issues/47117" },
};
