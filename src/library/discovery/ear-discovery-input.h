/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Kinds of questions. Only words are sent to a directory.
 * @EAR_DISCOVERY_NOTHING: no question yet
 * @EAR_DISCOVERY_WORDS: words to search for
 * @EAR_DISCOVERY_ADDRESS: a web address, of a feed or of a page that links to one
 * @EAR_DISCOVERY_APPLE: a link to Apple Podcasts
 * @EAR_DISCOVERY_FILE: a file on this computer
 * @EAR_DISCOVERY_LIKE: podcasts similar to another one
 * @EAR_DISCOVERY_CHART: the most popular podcasts
 * @EAR_DISCOVERY_UNKNOWN: none of these, such as an address of another kind */
typedef enum
{
  EAR_DISCOVERY_NOTHING,
  EAR_DISCOVERY_WORDS,
  EAR_DISCOVERY_ADDRESS,
  EAR_DISCOVERY_APPLE,
  EAR_DISCOVERY_FILE,
  EAR_DISCOVERY_LIKE,
  EAR_DISCOVERY_CHART,
  EAR_DISCOVERY_UNKNOWN,
} EarDiscoveryInput;

EarDiscoveryInput ear_discovery_input_read (const char *text, char **value);

G_END_DECLS
