/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"

G_DEFINE_QUARK (ear-error-quark, ear_error)

/* Returns: whether the server wants a user name and password, or other ones */
gboolean
ear_error_wants_login (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_UNAUTHORIZED) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
}
