/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-fuzz.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The entry points of libFuzzer; meson.build selects the target. */

int LLVMFuzzerInitialize   (int            *argc,
                            char         ***argv);
int LLVMFuzzerTestOneInput (const uint8_t  *data,
                            size_t          length);

static void
trap_cb (int number)
{
  abort ();
}

/* GLib aborts with SIGTRAP after a warning. libFuzzer does not handle that signal and
 * would lose the case. */
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
