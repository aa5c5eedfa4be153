/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http.h"

G_BEGIN_DECLS

EarHttpRequest  *ear_http_request_copy (const EarHttpRequest *self);
EarHttpResponse *ear_http_response_new (void);

G_END_DECLS
