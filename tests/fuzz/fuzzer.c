/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-fuzz.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* What libFuzzer calls; meson.build says which target it is. */

int LLVMFuzzerInitialize   (int            *argc,
                            char         ***argv);
int LLVMFuzzerTestOneInput (const uint8_t  *data,
                            size_t          length);

static void
trap_cb (int number)
{
  abort ();
}

/* GLib ends a program by a trap after a warning, which libFuzzer does not look for: the case would be lost. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  signal (SIGTRAP, trap_cb);

  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t length)
{
  FUZZ_TARGET (data, length);

  return 0;
}
