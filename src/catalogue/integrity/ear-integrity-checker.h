/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

/**
 * EarCatalogueFinding:
 * @EAR_FINDING_GOOD: looked through, and all is well
 * @EAR_FINDING_INDEX: the full text index alone is damaged
 * @EAR_FINDING_DAMAGED: something is damaged that cannot be made anew
 * @EAR_FINDING_UNKNOWN: it could not be looked through, or not to the end
 * @EAR_FINDING_COPIED: there is a new copy
 * @EAR_FINDING_NOT_COPIED: there is none
 *
 * What came of a job.
 */
typedef enum
{
  EAR_FINDING_GOOD,
  EAR_FINDING_INDEX,
  EAR_FINDING_DAMAGED,
  EAR_FINDING_UNKNOWN,
  EAR_FINDING_COPIED,
  EAR_FINDING_NOT_COPIED,
} EarCatalogueFinding;

/* Called on the owner's thread. */
typedef void (*EarCatalogueFindingFunc) (EarCatalogueFinding  finding,
                                         const GError        *error,
                                         gpointer             user_data);

typedef struct _EarIntegrityChecker EarIntegrityChecker;

EarIntegrityChecker *ear_integrity_checker_new          (const char             *path,
                                                         GMainContext           *context,
                                                         EarCatalogueFindingFunc func,
                                                         gpointer                user_data);
void                 ear_integrity_checker_check        (EarIntegrityChecker *self);
void                 ear_integrity_checker_copy         (EarIntegrityChecker *self);
void                 ear_integrity_checker_stop_copying (EarIntegrityChecker *self);
void                 ear_integrity_checker_free         (EarIntegrityChecker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarIntegrityChecker, ear_integrity_checker_free)

G_END_DECLS
