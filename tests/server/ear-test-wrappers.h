/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-reply.h"

G_BEGIN_DECLS

gboolean ear_test_wrappers_apply (EarTestReply          *reply,
                                  const EarTestExchange *exchange,
                                  const char            *path,
                                  const char           **rest);

G_END_DECLS
