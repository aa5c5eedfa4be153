/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link.h"

#include "ear-address.h"

#include <string.h>

/* Addresses of pages for the reading list: removal of tracking
 * parameters, and comparison */

/* Query parameters that only track the origin of a click, besides utm_source and the like */
static const char *const trackers[] = {
  "mc_cid",  "mc_eid",        "fbclid",  "gclid",      "gbraid",      "wbraid",  "dclid", "msclkid",
  "yclid",   "igshid",        "igsh",    "mkt_tok",    "_hsenc",      "_hsmi",   "s_cid", "spm",
  "trk",     "hsctatracking", "vero_id", "oly_enc_id", "oly_anon_id", "ref_src", NULL,
};

static gboolean
is_tracker (const char *parameter)
{
  g_autofree char *name = g_ascii_strdown (parameter, (gssize) strcspn (parameter, "="));

  return g_str_has_prefix (name, "utm_") || g_strv_contains (trackers, name);
}

static char *
dup_clean_query (const char *query)
{
  g_auto (GStrv) parameters = query != NULL ? g_strsplit (query, "&", -1) : NULL;
  g_autoptr (GString) clean = g_string_new (NULL);

  for (guint i = 0; parameters != NULL && parameters[i] != NULL; i++)
    if (!is_tracker (parameters[i]))
      g_string_append_printf (clean, "%s%s", clean->len > 0 ? "&" : "", parameters[i]);

  return clean->len > 0 ? g_string_free_and_steal (g_steal_pointer (&clean)) : NULL;
}

/* Drops a text fragment (`#:~:text=`), which only highlights text. */
static char *
dup_clean_fragment (const char *fragment)
{
  const char *directive = fragment != NULL ? strstr (fragment, ":~:") : NULL;
  g_autofree char *clean = directive != NULL ? g_strndup (fragment, (gsize) (directive - fragment))
                                             : g_strdup (fragment);

  return !ear_is_empty (clean) ? g_steal_pointer (&clean) : NULL;
}

/* Returns: (transfer full) (nullable): the address without tracking parameters; %NULL if
 * a browser could not open it */
char *
ear_link_address_dup_clean (const char *address)
{
  g_autoptr (GUri) uri =
      ear_address_is_web (address) ? g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL) : NULL;
  g_autofree char *query = NULL;
  g_autofree char *fragment = NULL;
  g_autofree char *clean = NULL;

  if (uri == NULL)
    return NULL;
  query = dup_clean_query (g_uri_get_query (uri));
  fragment = dup_clean_fragment (g_uri_get_fragment (uri));
  clean = g_uri_join (EAR_ADDRESS_FLAGS, g_uri_get_scheme (uri), g_uri_get_userinfo (uri),
                      g_uri_get_host (uri), g_uri_get_port (uri), g_uri_get_path (uri), query,
                      fragment);

  return ear_address_is_web (clean) && strlen (clean) <= EAR_LINK_ADDRESS_LIMIT
             ? g_steal_pointer (&clean)
             : NULL;
}

/* Returns: (transfer full): a key for all spellings of the address (see
 * [func@ear_address_key]), including the fragment: two sections of a manual are two
 * things to read */
char *
ear_link_address_dup_key (const char *address)
{
  g_autofree char *key = ear_address_key (address);
  const char *fragment = strchr (address, '#');

  return fragment != NULL ? g_strconcat (key, fragment, NULL) : g_steal_pointer (&key);
}

/* Returns: (transfer full) (nullable): the host as displayed, without `www.` */
char *
ear_link_address_dup_host (const char *address)
{
  g_autofree char *whole = ear_address_dup_host (address);
  g_autofree char *host = whole != NULL ? g_ascii_strdown (whole, -1) : NULL;

  return host != NULL ? g_strdup (ear_address_skip_www (host)) : NULL;
}

/* Returns: (transfer full): a display name for a page without a title: its address as
 * people write it, `example.org/a` */
char *
ear_link_address_dup_words (const char *address)
{
  const char *begin = strstr (address, "://");
  g_autofree char *plain = NULL;
  gsize length;

  begin = ear_address_skip_www (begin != NULL ? begin + strlen ("://") : address);
  plain = g_uri_unescape_string (begin, NULL);
  if (plain == NULL || !g_utf8_validate (plain, -1, NULL))
    {
      g_free (plain);
      plain = g_strdup (begin);
    }
  length = strlen (plain);
  if (length > 1 && plain[length - 1] == '/')
    plain[length - 1] = '\0';

  return g_steal_pointer (&plain);
}

/* Returns an id for the catalogue. A strong digest: with a collision, an attacker could
 * give one link the words of another. */
gint64
ear_link_address_make_id (const char *key)
{
  g_autofree char *digest = ear_address_hash (key, NULL);

  digest[16] = '\0';

  return (gint64) g_ascii_strtoull (digest, NULL, 16);
}

/* Guesses the kind of a page from its address, without fetching it. */

/* Names of the kinds in files and actions */
const char *const ear_link_kind_names[EAR_N_LINK_KINDS] = {
  [EAR_LINK_OTHER] = "other",
  [EAR_LINK_PULL_REQUEST] = "pull-request",
  [EAR_LINK_ISSUE] = "issue",
  [EAR_LINK_SOURCE] = "source",
  [EAR_LINK_PAPER] = "paper",
  [EAR_LINK_DOCUMENTATION] = "documentation",
  [EAR_LINK_BLOG] = "blog",
};

/* Patterns of the host, without `www.`, and of the path; the first match wins. Known hosts come
 * first, then common names of hosts and paths. `\?` is `?`, but never part of a trigraph. */
static const struct
{
  EarLinkKind kind;
  const char *patterns[36];
} groups[] = {
  { EAR_LINK_PAPER, { "*/*.pdf" } },
  { EAR_LINK_PULL_REQUEST,
    { "github.com/*/*/pull/*", "github.com/*/*/pulls*", "*/*/-/merge_requests*",
      "codeberg.org/*/*/pulls*", "bitbucket.org/*/*/pull-requests*", "reviews.llvm.org/D*",
      "phabricator.*/D*", "*-review.googlesource.com/*" } },
  { EAR_LINK_ISSUE,
    { "github.com/*/*/issues*", "github.com/*/*/discussions*", "github.com/orgs/*/discussions*",
      "*/*/-/issues*", "*/*/-/work_items*", "codeberg.org/*/*/issues*",
      "bitbucket.org/*/*/issues*", "todo.sr.ht/*", "phabricator.*/T*", "*/show_bug.cgi" } },
  { EAR_LINK_DOCUMENTATION, { "github.com/*/*/wiki*", "docs.github.com/*", "*/*/-/wikis*" } },
  { EAR_LINK_OTHER, { "github.com/sponsors/*", "github.com/features/*", "github.com/about/*" } },
  { EAR_LINK_SOURCE,
    { "github.com/*/*", "gist.github.com/*", "raw.githubusercontent.com/*", "*/*/-/*",
      "codeberg.org/*/*", "gitlab.*/*/*", "bitbucket.org/*/*", "git.sr.ht/*" } },
  { EAR_LINK_ISSUE, { "bugs.*/*", "issues.*/*", "issuetracker.*/*" } },
  { EAR_LINK_SOURCE,
    { "git.*/*", "cgit.*/*", "*.googlesource.com/*", "source.chromium.org/*",
      "cs.opensource.google/*", "elixir.bootlin.com/*", "godbolt.org/*",
      "colab.research.google.com/*" } },
  { EAR_LINK_PAPER,
    { "arxiv.org/*", "*.arxiv.org/*", "openreview.net/*", "doi.org/*", "dx.doi.org/*",
      "dl.acm.org/*", "queue.acm.org/*", "ieeexplore.ieee.org/*", "link.springer.com/*",
      "sciencedirect.com/science/article/*", "nature.com/articles/*", "science.org/doi/*",
      "*/doi/*", "pubmed.ncbi.nlm.nih.gov/*", "ncbi.nlm.nih.gov/pmc/*", "biorxiv.org/*",
      "medrxiv.org/*", "ssrn.com/*", "papers.*/*", "aclanthology.org/*", "proceedings.*/*",
      "openaccess.thecvf.com/*", "jmlr.org/papers/*", "semanticscholar.org/*",
      "eprint.iacr.org/*", "usenix.org/*/presentation/*", "huggingface.co/papers/*" } },
  { EAR_LINK_BLOG, { "huggingface.co/blog*" } },
  { EAR_LINK_DOCUMENTATION,
    { "huggingface.co/docs*", "*.readthedocs.io/*", "*.readthedocs.org/*" } },
  { EAR_LINK_OTHER, { "docs.google.com/*" } },
  { EAR_LINK_DOCUMENTATION, { "docs.*/*", "*.docs.*/*", "doc.*/*", "devdocs.*/*" } },
  { EAR_LINK_BLOG, { "developer.*/blog*", "developers.*/blog*" } },
  { EAR_LINK_DOCUMENTATION,
    { "developer.*/*", "learn.microsoft.com/*", "man7.org/*",
      "cppreference.com/*", "*.cppreference.com/*", "rfc-editor.org/*",
      "datatracker.ietf.org/doc/*", "w3.org/TR/*", "*.spec.whatwg.org/*", "peps.python.org/*",
      "pkg.go.dev/*", "wiki.*/*", "*/docs*", "*/doc/*", "*/*/docs/*", "*/documentation*",
      "*/manual/*", "*/reference/*", "*/tutorials/*" } },
  { EAR_LINK_BLOG,
    { "blog.*/*", "blogs.*/*", "*.blog/*", "*.blogspot.*/*", "*.wordpress.com/*", "medium.com/*",
      "*.medium.com/*", "*.substack.com/*", "*.ghost.io/*", "*.bearblog.dev/*", "dev.to/*",
      "*/blog*", "*/*/blog/*", "*/blogs/*", "*/*/blogs/*", "*/posts/*", "*/post/*",
      "*/20?\?/?\?/*", "*/*/20?\?/?\?/*" } },
};

/* Returns: the kind of the page, guessed from the address */
EarLinkKind
ear_link_kind_find (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, EAR_ADDRESS_FLAGS, NULL);
  g_autofree char *host = ear_link_address_dup_host (address);
  const char *path;

  if (uri == NULL || host == NULL)
    return EAR_LINK_OTHER;
  path = *g_uri_get_path (uri) != '\0' ? g_uri_get_path (uri) : "/";
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    for (const char *const *pattern = groups[i].patterns; *pattern != NULL; pattern++)
      {
        const char *slash = strchr (*pattern, '/');
        g_autofree char *host_pattern = g_strndup (*pattern, (gsize) (slash - *pattern));

        if (g_pattern_match_simple (host_pattern, host) && g_pattern_match_simple (slash, path))
          return groups[i].kind;
      }

  return EAR_LINK_OTHER;
}

G_DEFINE_FINAL_TYPE (EarLink, ear_link, G_TYPE_OBJECT)

static void
ear_link_finalize (GObject *object)
{
  EarLink *self = EAR_LINK (object);

  ear_texts_clear (&self->address, &self->podcast);

  G_OBJECT_CLASS (ear_link_parent_class)->finalize (object);
}

static void
ear_link_class_init (EarLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_link_finalize;
}

static void
ear_link_init (EarLink *self)
{
}

/* @address: a clean http or https address
 * @words: (nullable): the link's name in the notes
 * @kind: its kind; a number that is none counts as unknown
 * Returns: (transfer full): a link, whose other fields the caller may fill; without @words, its
 * name is its address */
EarLink *
ear_link_new (const char *address, const char *words, const char *heading, EarLinkKind kind)
{
  EarLink *self;

  self = g_object_new (EAR_TYPE_LINK, NULL);
  self->address = g_strdup (address);
  self->key = ear_link_address_dup_key (address);
  self->host = ear_link_address_dup_host (address);
  self->words =
      !ear_is_empty (words) ? g_strdup (words) : ear_link_address_dup_words (address);
  self->heading = !ear_is_empty (heading) ? g_strdup (heading) : NULL;
  self->kind = kind < EAR_N_LINK_KINDS ? kind : EAR_LINK_OTHER;

  return self;
}
