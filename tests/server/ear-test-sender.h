/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-reply.h"

G_BEGIN_DECLS

void ear_test_sender_send (GIOStream         *stream,
                           EarTestReply      *reply,
                           SoupServerMessage *message,
                           EarTestLog        *log,
                           EarTestRequest    *request,
                           GCancellable      *cancellable);

G_END_DECLS
